"""Hosts from which vendors serve the installers of their own products; nobody else can put a file there."""

INSTALLER_HOSTS = frozenset(
    "aka.ms astral.sh awscli.amazonaws.com bootstrap.pypa.io bun.sh claude.ai cli.github.com deb.nodesource.com"
    " deno.land dot.net dot.microsoft.com fnm.vercel.app get.docker.com get.helm.sh get.k3s.io get.pnpm.io get.rke2.io"
    " get.sdkman.io get.volta.sh install.python-poetry.org install.determinate.systems mise.run nixos.org ollama.com"
    " packages.microsoft.com pkgs.tailscale.com pyenv.run rclone.org repo.anaconda.com rpm.nodesource.com"
    " sdk.cloud.google.com sh.rustup.rs starship.rs static.rust-lang.org tailscale.com".split()
)

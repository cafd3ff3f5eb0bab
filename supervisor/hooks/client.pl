# The fast way of a hook: asks the daemon, and does what it says. Starts in 2 ms, where Python takes 20 and curl 9.
#
#     perl client.pl PYTHON SOCKET HOST closed|open|observe [POLICY]
#
# Only a plain answer is dealt with here. Everything else is handed to client.py, which starts a daemon where there is
# none, and fails closed, open or aloud. If this program dies, the hook's command exits with 2 all the same.

use strict;

my ($python, $socket, $host, $mode, @policy) = @ARGV;
binmode $_ for *STDIN, *STDOUT, *STDERR;
my $event = do { local $/; <STDIN> };
my ($status, $head, $body) = eval { ask() };
hand_over($@ eq "late\n" ? 'late' : 'ask') unless defined $status;
print STDOUT $body if $status == 200 || $head =~ /^supervisor-echo:/im;
print STDERR $body if $status == 403;
exit($status == 200 ? 0 : 2);

# The answer's status (200 or 403), head and body. Dies where there is no such answer.
sub ask {
    local $SIG{ALRM} = sub { die "late\n" };
    local $SIG{PIPE} = 'IGNORE';
    my $patience = int($ENV{SUPERVISOR_PATIENCE} // 20);
    alarm($patience > 0 ? $patience : 1);  # alarm(0) would be none
    my $address = $^O eq 'darwin' ? pack('CCZ104', 106, 1, $socket) : pack('SZ108', 1, $socket);  # sockaddr_un
    my $daemon;
    socket($daemon, 1, 1, 0) && connect($daemon, $address) or die;  # AF_UNIX, SOCK_STREAM
    my $request = "POST /hook/$host HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        . 'Content-Length: ' . length($event) . "\r\n\r\n$event";
    for (my $sent = 0; $sent < length $request;) {
        $sent += syswrite($daemon, $request, length($request) - $sent, $sent) // die;
    }
    my $answer = '';
    while (my $more = sysread($daemon, $answer, 65536, length $answer) // die) { }
    alarm 0;
    my ($status, $head, $body) = $answer =~ m{\AHTTP/1\.1 (200|403) [^\n]*\n(.*?)\r\n\r\n(.*)\z}s or die;
    $head =~ /^content-length: *(\d+)\r?$/im && $1 == length $body or die;
    return ($status, $head, $body);
}

sub hand_over {
    my $client = __FILE__ =~ s/\.pl\z/.py/r;
    open(my $next, '|-', $python, '-I', '-S', $client, $_[0], $socket, $host, $mode, @policy)
        or die "Supervisor: $python cannot be started: $!\n";
    binmode $next;
    print $next $event;
    close $next;
    die "Supervisor: the hook was killed\n" if $? & 127;
    exit($? >> 8);
}

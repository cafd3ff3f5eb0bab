"""Whether a value is made by chance or made of words: a secret under a name is the one, code and prose the other."""

from __future__ import annotations

import re

_LEAST = 6  # characters of a value that chance made
_MOST_WORDS = 0.5  # share of the characters
_PIECE = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[A-Z]")
_RUN = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[A-Z]|[0-9]+")
_MIXED = re.compile(r"[0-9][A-Za-z]|[a-z][A-Z]")
_LEAST_SHUFFLED = 8
_RUN_OF_WORDS = 2.9  # characters: the mean run of what chance made is shorter
_TWO = frozenset("by id to is of in on at db pk ip ok no my up do go if or as us js py it we re be an am io ui os".split())
# Pairs of letters of which one in a thousand words of English and of programs has any: one in three of all pairs.
_RARE = frozenset(
    "aj ao aq bg bh bk bn bq bv bw bx bz cb cg cj cv cw cx cz dh dj dq dw dx dz fb fd fg fh fj fk fm fp fq fv fw fx "
    "fz gc gd gf gj gk gq gv gw gx gz hb hc hf hg hh hj hk hn hp hq hv hw hx hz ij iq iw iy jb jc jd jf jg jh ji jj "
    "jk jl jm jn jp jq jr jt jv jw jx jy jz kb kc kd kf kg kh kj kk km kp kq kr kt kv kx kz lh lj lq lw lx lz mg mh "
    "mj mk mq mv mw mx mz nj nq nw nx nz oh oq oy pf pg pj pk pq pv pw px pz qa qb qc qd qe qf qg qh qi qj qk qm qn "
    "qo qp qq qr qs qt qv qw qx qy qz rh rj rq rx rz sb sj sx sz tj tk tq tx uh uj uq uu uv uw uy uz vb vc vd vf vg "
    "vh vj vk vl vm vn vp vq vr vt vu vv vw vx vy vz wb wc wd wf wg wj wk wl wm wp wq wt wu wv ww wx wy wz xb xd xf "
    "xg xh xj xk xl xn xq xr xs xu xv xw xx xz yb yf yh yj yk yq yr yu yv yx yy yz zb zc zd zf zg zh zj zk zl zm zn "
    "zp zq zr zs zt zu zv zw zx zy zz".split()
)


def is_made(value: str) -> bool:
    """Whether chance made most of it: hex, Base64, letters in no order; and it is long enough to say so."""
    if len(value) < _LEAST or sum(map(str.isalnum, value)) < len(value) / 5:
        return False
    if not value.isascii():
        return not _is_plain(value)
    return _is_shuffled(value) or worded(value) < _MOST_WORDS


def _is_shuffled(value: str) -> bool:
    """Whether it changes between capitals, small letters and digits more often than words do."""
    runs = _RUN.findall(value)
    return len(value) >= _LEAST_SHUFFLED and len(value) < _RUN_OF_WORDS * len(runs) and _MIXED.search(value) is not None


def worded(value: str) -> float:
    """The share of a value's characters that words make up. Digits belong to neither, and count as no word."""
    return sum(len(piece) for piece in _PIECE.findall(value) if _is_word(piece.lower())) / max(1, len(value))


def _is_word(piece: str) -> bool:
    if len(piece) < 3:
        return piece in _TWO
    return not any(piece[at : at + 2] in _RARE for at in range(len(piece) - 1)) and not _ALIKE.search(piece)


def _is_plain(value: str) -> bool:
    """Whether it is text of another script, which changes between capitals, digits and blocks of Unicode but seldom."""
    sorts = [_sort(letter) for letter in value]
    changes = sum(before != after for before, after in zip(sorts, sorts[1:], strict=False))
    return changes < len(value) / 4


def _sort(letter: str) -> int:
    if letter.isdigit():
        return -1
    if ord(letter) < _LATIN:
        return -2 if letter.isupper() else -3 if letter.isalpha() else -4
    return ord(letter) >> 8 if ord(letter) < _IDEOGRAPHS else _IDEOGRAPHS


_LATIN, _IDEOGRAPHS = 0x250, 0x2E80  # where the letters of Europe end, and those of East Asia begin
_ALIKE = re.compile(r"[^aeiouy]{5}|[aeiou]{4}")

# The hook's fast client: sends the event to the daemon and carries out the answer. It starts in 2 ms, Python in 20,
# curl in 9.
#
#     perl client.pl PYTHON SOCKET HOST closed|open|observe SECONDS [POLICY]
#
# POLICY is the policy of this hook's settings. The daemon combines it with the user's.
# The client handles only a plain answer. Everything else goes to client.py, which starts a daemon if there is none, and fails
# closed, open or with a message, all within SECONDS: the host does not wait for longer. If this program dies, the
# hook's command exits with 2.

use strict;

my $SAYING = 5;  # seconds reserved for reporting that there was no answer
my ($python, $socket, $host, $mode, @rest) = @ARGV;
my $within = @rest && $rest[0] =~ /\A\d+\z/ ? shift @rest : 50;  # commands of earlier versions have no SECONDS
my $policy = @rest ? 'Supervisor-Policy-File: ' . $rest[0] =~ s/([^A-Za-z0-9\/._~-])/sprintf '%%%02X', ord $1/ger . "\r\n" : '';
binmode $_ for *STDIN, *STDOUT, *STDERR;
my $event = '';
$SIG{PIPE} = 'IGNORE';
$SIG{ALRM} = sub { die "late\n" };
my ($status, $head, $body) = eval {
    alarm patience();
    $event = do { local $/; <STDIN> } // '';
    my @reply = ask();
    alarm 0;
    @reply;
};
my $how = $@ eq "late\n" ? 'late' : 'ask';
alarm 0;
hand_over($how) unless defined $status;
print STDOUT $body if $status == 200 || $head =~ /^supervisor-echo:/im;
print STDERR $body if $status == 403;
exit($status == 200 ? 0 : 2);

# The seconds to wait for the daemon, at least 1: alarm(0) would mean none.
sub patience {
    my $setting = $ENV{SUPERVISOR_PATIENCE} // '';
    my $patience = $setting =~ /\A\d{1,6}(\.\d*)?\z/ ? int $setting : 20;
    $patience = $within - $SAYING if $patience > $within - $SAYING;
    return $patience > 0 ? $patience : 1;
}

# The answer's status (200 or 403), head and body. Dies if there is no such answer.
sub ask {
    my $address = $^O eq 'darwin' ? pack('CCZ104', 106, 1, $socket) : pack('SZ108', 1, $socket);  # sockaddr_un
    my $daemon;
    socket($daemon, 1, 1, 0) && connect($daemon, $address) or die;  # AF_UNIX, SOCK_STREAM
    my $request = "POST /hook/$host HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n$policy"
        . 'Content-Length: ' . length($event) . "\r\n\r\n$event";
    for (my $sent = 0; $sent < length $request;) {
        $sent += syswrite($daemon, $request, length($request) - $sent, $sent) // die;
    }
    my $answer = '';
    while (my $more = sysread($daemon, $answer, 65536, length $answer) // die) { }
    my ($status, $head, $body) = $answer =~ m{\AHTTP/1\.1 (200|403) [^\n]*\n(.*?)\r\n\r\n(.*)\z}s or die;
    $head =~ /^content-length: *(\d+)\r?$/im && $1 == length $body or die;
    $head =~ /^supervisor-policy:/im or die;  # some other server
    ($status == 403 ? $body =~ /\S/ : $body eq '' || is_object($body)) or die;  # a refusal has a reason
    return ($status, $head, $body);
}

# Whether a text is one JSON object (RFC 8259): hosts read malformed text as consent.
sub is_object {
    return $_[0] =~ m{
        (?(DEFINE)
            (?<text> " (?: [^"\\\x00-\x1f]++ | \\ (?: ["\\/bfnrt] | u[0-9a-fA-F]{4} ) )*+ " )
            (?<number> -? (?: 0 | [1-9][0-9]*+ ) (?: \.[0-9]++ )? (?: [eE][-+]?[0-9]++ )? )
            (?<list> \[ \s*+ (?: (?&value) (?: , (?&value) )*+ )? \] )
            (?<pair> \s*+ (?&text) \s*+ : (?&value) )
            (?<object> \{ \s*+ (?: (?&pair) (?: , (?&pair) )*+ )? \} )
            (?<value> \s*+ (?: (?&text) | (?&number) | true | false | null | (?&list) | (?&object) ) \s*+ )
        )
        \A \s*+ (?&object) \s*+ \z
    }x;
}

sub hand_over {
    my $client = __FILE__ =~ s/\.pl\z/.py/r;
    my $left = $within - (time - $^T);
    my @arguments = ($_[0], $socket, $host, $mode, $left > 1 ? $left : 1, @rest);
    open(my $next, '|-', $python, '-I', '-S', $client, @arguments)
        or die "Supervisor: $python cannot be started: $!\n";
    binmode $next;
    print $next $event;
    close $next;
    die "Supervisor: the hook was killed\n" if $? & 127;
    exit($? >> 8);
}

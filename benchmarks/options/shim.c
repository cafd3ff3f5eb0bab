/* A library for LD_PRELOAD that replaces getopt, getopt_long, getopt_long_only and argp_parse: the first call writes the
   table of options that the program passes, and ends the program before it does any work.

   Output, on the descriptor in OPTIONS_FD, one line: the dialect ("getopt", "long", "only" or "argp"), a tab, the string
   of short options, and for each long option a tab, its name, and "=" (needs a value) or "=?" (may have a value). */
#define _GNU_SOURCE
#include <argp.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char *const SIGNS[] = {"", "=", "=?"};

static FILE *start(const char *dialect) {
    const char *named = getenv("OPTIONS_FD");
    FILE *out = named ? fdopen(atoi(named), "w") : NULL;
    if (!out) _exit(125);
    fputs(dialect, out);
    fputc('\t', out);
    return out;
}

static void stop(FILE *out) {
    fputc('\n', out);
    fflush(out);
    _exit(0);
}

static void write_table(const char *dialect, const char *letters, const struct option *longs) {
    FILE *out = start(dialect);
    fputs(letters ? letters : "", out);
    for (; longs && longs->name; longs++)
        if (longs->has_arg >= 0 && longs->has_arg <= 2) fprintf(out, "\t%s%s", longs->name, SIGNS[longs->has_arg]);
    stop(out);
}

int getopt(int argc, char *const argv[], const char *letters) { write_table("getopt", letters, NULL); return -1; }

int __posix_getopt(int argc, char *const argv[], const char *letters) { write_table("getopt", letters, NULL); return -1; }

int getopt_long(int argc, char *const argv[], const char *letters, const struct option *longs, int *index) {
    write_table("long", letters, longs);
    return -1;
}

int getopt_long_only(int argc, char *const argv[], const char *letters, const struct option *longs, int *index) {
    write_table("only", letters, longs);
    return -1;
}

static int arity_of(const struct argp_option *option) {
    return !option->arg ? 0 : option->flags & OPTION_ARG_OPTIONAL ? 2 : 1;
}

static void write_letters(FILE *out, const struct argp *argp) {
    int arity = 0;
    for (const struct argp_option *each = argp->options; each && (each->name || each->key || each->doc); each++) {
        if (!(each->flags & OPTION_ALIAS)) arity = arity_of(each);
        if (each->key > ' ' && each->key < 127 && !(each->flags & OPTION_DOC))
            fprintf(out, "%c%s", each->key, arity == 0 ? "" : arity == 1 ? ":" : "::");
    }
    for (const struct argp_child *child = argp->children; child && child->argp; child++) write_letters(out, child->argp);
}

static void write_names(FILE *out, const struct argp *argp) {
    int arity = 0;
    for (const struct argp_option *each = argp->options; each && (each->name || each->key || each->doc); each++) {
        if (!(each->flags & OPTION_ALIAS)) arity = arity_of(each);
        if (each->name && !(each->flags & OPTION_DOC)) fprintf(out, "\t%s%s", each->name, SIGNS[arity]);
    }
    for (const struct argp_child *child = argp->children; child && child->argp; child++) write_names(out, child->argp);
}

error_t argp_parse(const struct argp *argp, int argc, char **argv, unsigned flags, int *index, void *input) {
    FILE *out = start("argp");
    write_letters(out, argp);
    write_names(out, argp);
    stop(out);
    return 0;
}

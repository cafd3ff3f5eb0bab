"""Whether a command line writes its output onto its own input: `samtools view -b a.bam -o a.bam`."""

from __future__ import annotations

from collections.abc import Sequence

_OUTPUTS = frozenset({"-o", "-out", "--out", "--output", "--output-file", "-O", "--outfile", "-outfile", "--to-file"})
# Programs that open their output before they have read their input.
STREAMING = frozenset(
    "bcftools samtools bedtools vcftools bgzip sambamba picard gatk seqtk seqkit fastp cutadapt openssl gpg gpg2 age"
    " rage ffmpeg sox gdal_translate gdalwarp ogr2ogr cdo ncks nccopy ncrcat osmium tippecanoe mlr xsv qsv csvcut"
    " csvgrep duckdb pv zstd lz4 xz mksquashfs qemu-img avconv jpegtran pdftk gs pdftocairo h5repack"
    " tshark tcpdump editcap mergecap datamash iconv uconv recode nkf xmlstarlet xsltproc xmllint".split()
)


def own_output(words: Sequence[str]) -> str:
    """The file that is read and written by the same command line, or ""."""
    values = [(at, word) for at, word in enumerate(words) if at and words[at - 1] in _OUTPUTS]
    values += [(at, word.partition("=")[2]) for at, word in enumerate(words) if word.partition("=")[0] in _OUTPUTS]
    for at, value in values:
        is_file = len(value) > 1 and not value.startswith(("-", "/dev/")) and ("." in value or "/" in value)
        if is_file and any(word == value for place, word in enumerate(words[1:], 1) if place != at):
            return value
    return ""

import { FILES, SUMS, type BundleHead } from '@lib/audit/format/bundle/files';

/** What is in a bundle and how to check it, for whoever opens it without us. */
export const readmeOf = ({ exportedAt, scope, checkpoint, counts }: BundleHead): string => `# An audit bundle of research-threads

Written at ${exportedAt}: ${counts.events} events of ${counts.streams} histories (${scopeText(scope)}), as the log "${checkpoint.origin}"
of ${checkpoint.size} entries has them. Nothing that people wrote or providers answered is in it, sealed or not; of it there are digests.

| file | what |
|---|---|
| ${FILES.head} | what was exported, and how much |
| ${FILES.events} | a line for each event: what was recorded, the chain of its history, its place in the log and the proof of that (RFC 6962) |
| ${FILES.checkpoint} | the signed root of the log (C2SP tlog-checkpoint, signed-note, Ed25519) |
| ${FILES.consistency} | older checkpoints, each with the proof that the log goes on from it |
| ${FILES.keys} | the public keys that sign the log, as verifiers of notes take them |
| ${FILES.prices} | the price tables that charges were computed by; null where the exporter did not have one any more |
| ${FILES.deletions} | a signed statement for each deleted thread |
| ${SUMS} | the digest of each of these files; it shows accidents, whoever changes a file on purpose writes it anew |

How to check it, without a network and without a database:

    sha256sum -c ${SUMS}
    python3 verify.py --key NAME+ID+KEY .         # from docs/audit in the source of research-threads; needs Python 3.9 and nothing else
    research verify . --key NAME+ID+KEY           # the same, and the protocol of jobs and their money
    research verify . --against CHECKPOINT        # a checkpoint that you kept yourself

\`research\` stands for \`node PATH/dist/src/cli/main.js\`, where PATH is the folder of the source of research-threads, once it is built.

Have the key, or a checkpoint, from somewhere else than from here: ${FILES.keys} is what whoever wrote this bundle says. docs/audit.md of
research-threads defines every format and formula, and says what can be concluded and what not.
`;

function scopeText({ job, thread, tenant, since }: BundleHead['scope']): string {
  if (job !== null) return `the job ${job} and its thread`;
  if (thread !== null) return `the thread ${thread} and its jobs`;
  const whose = tenant === null ? 'everything' : `everything of the tenant ${tenant}`;
  return since === null ? whose : `${whose} to which something has come since ${since}`;
}

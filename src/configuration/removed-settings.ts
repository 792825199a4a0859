/** Settings of earlier versions by their paths: since when they are gone, and what the gateway does now. */
const removed: Readonly<Record<string, string>> = {
  'accounts[].propagate': '0.2.0: an account gets a `traceparent` only from a plugin',
  samplingFields:
    '0.2.0: requests with `temperature`, `top_p` or `top_k` go to the account in version 2023-06-01',
  unknownIds: '0.2.0: a request that names data which its key does not own is refused',
  'limits.bodyBytesPerSecond': '0.2.0: a request body must arrive with 1 KiB/s on average',
  'limits.expansionRatio':
    '0.2.0: what exceeds 4 MiB may be a hundred times as large decompressed as compressed',
  'limits.jsonDepth': '0.2.0: JSON has at most 200 levels',
  'log.accessFile':
    '0.2.0: `log.file` has both logs; without it the access log goes to standard output',
  'remote.maxRedirects': '0.2.0: a file may have 3 redirects',
  'remote.maxTotalBytes': '0.2.0: all files of a request may have 50 MiB',
  'remote.ports': '0.2.0: `remote.forbid` and `remote.allow` decide alone',
  'remote.totalTimeoutMs': '0.2.0: all files of a request have 30 s',
  'telemetry.genai': '0.2.0: metrics have one generation of names',
  'telemetry.traces.contentBytes': '0.2.0: a span has 8 KiB of a request and of a reply',
  'telemetry.traces.detail': '0.2.0: a trace has a span for each stage',
}

/** Since when a setting is gone, and what the gateway does in its place; `undefined` for any other path. */
export function removalOf(path: string): string | undefined {
  const pattern = path.replaceAll(/\[\d+\]/g, '[]')
  return Object.hasOwn(removed, pattern) ? removed[pattern] : undefined
}

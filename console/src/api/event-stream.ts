/** In characters. */
const longestEvent = 4_000_000

/**
 * Reads server-sent events: the text of each, and an empty one for each sign of life. Throws if nothing comes for
 * `silentMs`.
 */
export async function* eventsOf(
  body: ReadableStream<Uint8Array>,
  silentMs: number,
): AsyncGenerator<string, void, undefined> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)
    .getReader()
  let rest = ''
  let timer: ReturnType<typeof setTimeout> | undefined
  const watch = () => {
    clearTimeout(timer)
    timer = setTimeout(() => void reader.cancel().catch(() => {}), silentMs)
  }
  try {
    for (;;) {
      watch()
      const { done, value } = await reader.read()
      if (done) return
      const seam = Math.max(0, rest.length - 3)
      rest += value
      if (rest.length > longestEvent) throw new Error('An event is too large for this page.')
      if (!/\n\r?\n/.test(rest.slice(seam))) continue
      const blocks = rest.split(/\r?\n\r?\n/)
      rest = blocks.pop() ?? ''
      for (const block of blocks) yield dataOf(block)
    }
  } finally {
    clearTimeout(timer)
    void reader.cancel().catch(() => {})
  }
}

function dataOf(block: string): string {
  return block
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).trimStart())
    .join('\n')
}

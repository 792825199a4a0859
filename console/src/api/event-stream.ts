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
      rest += value
      const blocks = rest.split('\n\n')
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
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).trimStart())
    .join('\n')
}

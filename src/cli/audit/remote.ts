import { CommandError, type Invocation, OutputClosed } from '../command.ts'
import { adminClientOf } from '../remote/client.ts'
import type { rangeOf } from './range.ts'

/** `dragoman audit export --url URL`: prints what the gateway streams, as slowly as it is read. */
export async function exportAudit(
  invocation: Invocation,
  { from, to }: ReturnType<typeof rangeOf>,
): Promise<number> {
  const { terminal } = invocation
  const query = new URLSearchParams()
  if (from !== undefined) query.set('from', new Date(from).toISOString())
  if (to !== undefined) query.set('to', new Date(to).toISOString())
  const client = adminClientOf(invocation)
  const bytes = await client.download(query.size > 0 ? `audit.ndjson?${query}` : 'audit.ndjson')
  const decoder = new TextDecoder()
  try {
    for await (const chunk of bytes) {
      await terminal.print(decoder.decode(chunk, { stream: true }))
    }
  } catch (cause) {
    if (cause instanceof OutputClosed) throw cause
    throw new CommandError(
      `The export of ${client.origin} has broken off: what is printed is not the whole.`,
      { cause },
    )
  }
  return 0
}

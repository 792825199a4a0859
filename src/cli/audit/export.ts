import { createAuditLog } from '../../audit/log.ts'
import { auditLines, parseTime } from '../../audit/lines.ts'
import { CommandError, type Invocation, OutputClosed, UsageError } from '../command.ts'
import { isRemote } from '../remote/address.ts'
import { adminClientOf } from '../remote/client.ts'
import { mayContainRecords, readForStore, useStore } from '../use-store.ts'

/** `dragoman audit export`: prints the entries of the store, or what the gateway streams, as slowly as it is read. */
export async function run(invocation: Invocation): Promise<number> {
  const { terminal } = invocation
  const range = rangeOf(invocation)
  if (isRemote(invocation)) return await download(invocation, range)
  const configuration = await readForStore(invocation)
  if (!mayContainRecords(configuration)) return 0
  await useStore(configuration, async (store) => {
    // A slow pipe slows down the reading.
    for await (const text of auditLines(createAuditLog({ store }), range)) {
      await terminal.print(text)
    }
  })
  return 0
}

async function download(
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
      `The export of ${client.origin} has broken off: the output is incomplete.`,
      { cause },
    )
  }
  return 0
}

/** `--from` and `--to` of an export, in milliseconds since 1970. Throws `UsageError`. */
function rangeOf({ options }: Pick<Invocation, 'options'>) {
  return { from: timeOf('from', options['from']), to: timeOf('to', options['to']) }
}

function timeOf(name: string, text: string | undefined): number | undefined {
  const time = parseTime(text)
  if (!Number.isNaN(time)) return time
  throw new UsageError(`"${text}" is not a time for --${name}: use 2030-01-31T00:00:00Z.`)
}

import { createAuditLog } from '../../admin/audit.ts'
import { auditLines, parseTime } from '../../admin/audit-lines.ts'
import type { LineSink } from '../../lib/line-writer.ts'
import { type Invocation, UsageError } from '../command.ts'
import { readCommandConfiguration } from '../command-configuration.ts'
import { assertStoreValid, mayContainRecords, useStore } from '../use-store.ts'

/** `dragoman audit export`: prints the entries of the store page by page. */
export async function run(invocation: Invocation): Promise<number> {
  const { options, terminal } = invocation
  const range = { from: timeOf('from', options['from']), to: timeOf('to', options['to']) }
  const configuration = await readCommandConfiguration(invocation)
  assertStoreValid(configuration)
  if (!mayContainRecords(configuration)) return 0
  await useStore(configuration, async (store) => {
    const lines = auditLines(createAuditLog({ store }), range)
    for await (const text of lines) await written(terminal.stdout, text)
  })
  return 0
}

/** A slow pipe slows down the reading. */
function written(sink: LineSink, text: string): Promise<void> {
  return new Promise((resolve) => void sink.write(text, resolve))
}

function timeOf(name: string, text: string | undefined): number | undefined {
  const time = parseTime(text)
  if (!Number.isNaN(time)) return time
  throw new UsageError(`"${text}" is not a time for --${name}: use 2030-01-31T00:00:00Z.`)
}

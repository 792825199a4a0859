import { createAuditLog } from '../../audit/log.ts'
import { auditLines } from '../../audit/lines.ts'
import type { Invocation } from '../command.ts'
import { readCommandConfiguration } from '../command-configuration.ts'
import { isRemote } from '../remote/address.ts'
import { assertStoreValid, mayContainRecords, useStore } from '../use-store.ts'
import { rangeOf } from './range.ts'

/** `dragoman audit export`: prints the entries of the store page by page. */
export async function run(invocation: Invocation): Promise<number> {
  const { terminal } = invocation
  const range = rangeOf(invocation)
  if (isRemote(invocation)) return (await import('./remote.ts')).exportAudit(invocation, range)
  const configuration = await readCommandConfiguration(invocation)
  assertStoreValid(configuration)
  if (!mayContainRecords(configuration)) return 0
  await useStore(configuration, async (store) => {
    // A slow pipe slows down the reading.
    for await (const text of auditLines(createAuditLog({ store }), range)) {
      await terminal.print(text)
    }
  })
  return 0
}

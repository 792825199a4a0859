import { defined } from '../../lib/json/object.ts'
import type { Invocation } from '../command.ts'
import { noneMatch } from '../none-match.ts'
import { limitOf, printList } from '../print-list.ts'
import { isRemote } from '../remote/address.ts'
import { adminClientOf } from '../remote/client.ts'
import type { JobNode } from '../remote/nodes.ts'
import { lists } from '../remote/operations.ts'
import { readPages } from '../remote/pages.ts'
import { readForStore } from '../use-store.ts'
import { jobRow, jobTitles, parseState } from './describe.ts'
import { storedJobs } from './stored.ts'

/** `dragoman jobs list`. */
export async function run(invocation: Invocation): Promise<number> {
  const { key: keyId, account: accountId } = invocation.options
  const status = parseState(invocation.options['state'])
  const limit = limitOf(invocation)
  const filter = defined({ keyId, accountId, state: status?.toUpperCase() })
  const pages = isRemote(invocation)
    ? readPages(adminClientOf(invocation), lists.jobs, { filter, limit })
    : storedJobs(await readForStore(invocation), { keyId, accountId, status })
  return await printList<JobNode>(invocation, pages, {
    titles: jobTitles,
    row: jobRow,
    none: noneMatch('jobs', { keyId, accountId }),
  })
}

import { defined } from '../../lib/json/object.ts'
import type { Invocation } from '../command.ts'
import { noneMatch } from '../none-match.ts'
import { limitOf, printList } from '../print-list.ts'
import { isRemote } from '../remote/address.ts'
import { adminClientOf } from '../remote/client.ts'
import type { BindingNode } from '../remote/nodes.ts'
import { lists } from '../remote/operations.ts'
import { readPages } from '../remote/pages.ts'
import { readForStore } from '../use-store.ts'
import { bindingRow, bindingTitles } from './describe.ts'
import { storedBindings } from './stored.ts'

/** `dragoman bindings list`. */
export async function run(invocation: Invocation): Promise<number> {
  const { key: keyId, account: accountId, kind } = invocation.options
  const filter = defined({ keyId, accountId, kind })
  const limit = limitOf(invocation)
  const pages = isRemote(invocation)
    ? readPages(adminClientOf(invocation), lists.bindings, { filter, limit })
    : storedBindings(await readForStore(invocation), filter)
  return await printList<BindingNode>(invocation, pages, {
    titles: bindingTitles,
    row: bindingRow,
    none: noneMatch('bindings', filter),
  })
}

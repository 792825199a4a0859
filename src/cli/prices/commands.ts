import type { Invocation } from '../command.ts'
import { limitOf, mapPages, printList } from '../print-list.ts'
import { readPages, useAdmin } from '../remote/admin.ts'
import type { PriceNode } from '../remote/nodes.ts'
import { lists } from '../remote/operations.ts'

/** `dragoman prices list`. */
export function list(invocation: Invocation): Promise<number> {
  const limit = limitOf(invocation)
  const { provider, unpriced } = invocation.options
  const filter = {
    ...(provider !== undefined && { provider }),
    ...(unpriced !== undefined && { unpriced: true }),
  }
  return useAdmin(invocation, {}, (admin) =>
    printList(
      invocation,
      mapPages(readPages(admin, lists.prices, { limit, arguments: filter }), describePrice),
      {
        titles: ['MODEL', 'INPUT', 'OUTPUT', 'CACHE READ', 'OF', 'BEGINS', 'PRICE FROM', 'CHECKED'],
        row: ({
          model,
          input = '',
          output = '',
          cacheRead = '',
          of = 'all accounts',
          begins = '',
          from,
          checked = '',
        }) => [model, input, output, cacheRead, of, begins, from, checked],
        none: 'No prices match.',
      },
    ),
  )
}

const origins = { STORE: 'store', FILE: 'configuration', PUBLISHED: 'published' } as const

/** Rates are USD for a million tokens. */
function describePrice(price: PriceNode) {
  const { model, accountId, provider, origin, checkedAt, isFree, from, rates } = price
  const of = accountId ?? provider ?? undefined
  const shown = isFree ? { input: '0', output: '0', cacheRead: null } : rates
  const { input, output, cacheRead } = shown ?? { input: null, output: null, cacheRead: null }
  return {
    model,
    ...(input !== null && { input }),
    ...(output !== null && { output }),
    ...(cacheRead !== null && { cacheRead }),
    ...(of !== undefined && { of }),
    ...(from !== null && { begins: from }),
    from: origin === null ? 'none' : origins[origin],
    ...(checkedAt !== null && { checked: checkedAt.slice(0, 10) }),
  }
}

/** Reads and measures pages of a list. */

import type { AdminGateway, Page } from '../../admin/admin-gateway.ts'
import type { List } from './lists.ts'
import { type Stalls, type Times, startMeter } from './meter.ts'

/** How often a page is read: first without a measurement, while the engine compiles. */
const usual = { warmUps: 10, reads: 30 }
const long = { warmUps: 0, reads: 2 }

/** What was measured of a list. */
export interface Measured extends Stalls {
  readonly first: Times
  /** Absent: the list has no pages, or few. */
  readonly middle?: Times
  /** Whether the time of the first page has no limit. */
  readonly isLong?: boolean
}

/** Measures the first page of a list and one in its middle. */
export async function measureList(gateway: AdminGateway, list: List): Promise<Measured> {
  const { times: first, stalls } = await measurePage(gateway, list, undefined)
  const { isLong = false } = list
  if (list.nodes === undefined) return { first, isLong, ...stalls }
  const middle = await measurePage(gateway, list, await cursorInMiddle(gateway, list))
  return {
    first,
    middle: middle.times,
    longestTurn: Math.max(stalls.longestTurn, middle.stalls.longestTurn),
    longestPause: Math.max(stalls.longestPause, middle.stalls.longestPause),
  }
}

async function measurePage(gateway: AdminGateway, list: List, after: string | undefined) {
  const { warmUps, reads } = list.isLong ? long : usual
  for (let index = 0; index < warmUps; index++) await readPage(gateway, list, after)
  const meter = startMeter()
  for (let index = 0; index < reads; index++) {
    await meter.measure(() => readPage(gateway, list, after))
  }
  return meter.end()
}

/** Reads one page. Throws for errors of the answer. */
export async function readPage(
  gateway: AdminGateway,
  { field, selection, size, isLong = false }: List,
  after?: string,
): Promise<Page<unknown>> {
  const page = `first: ${size}${after === undefined ? '' : `, after: ${JSON.stringify(after)}`}`
  const fields =
    size === undefined
      ? selection
      : `edges { cursor node { ${selection} } } pageInfo { hasNextPage endCursor }`
  const query = `{ page: ${field.replace('PAGE', page)} { ${fields} } }`
  const { data, errors } = await gateway.graph<{ page: Page<unknown> } | undefined>(query)
  // On a busy machine, what is long may take too long.
  if (errors.length > 0 && !isLong) throw new Error(`${field}: ${JSON.stringify(errors)}`)
  return data?.page ?? noPage
}

const noPage: Page<unknown> = { edges: [], pageInfo: { hasNextPage: false, endCursor: null } }

async function cursorInMiddle(gateway: AdminGateway, list: List): Promise<string | undefined> {
  const { nodes = 0 } = list
  let after: string | undefined
  for (let seen = 0; seen < nodes / 2;) {
    const { edges, pageInfo } = await readPage(gateway, list, after)
    if (edges.length === 0 || !pageInfo.hasNextPage || pageInfo.endCursor === null) {
      throw new Error(`${list.name} ends after ${seen + edges.length} of ${nodes}.`)
    }
    seen += edges.length
    after = pageInfo.endCursor
  }
  return after
}

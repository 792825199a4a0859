/** Reads and measures pages of a list. */

import type { Page } from '../../admin/admin-gateway.ts'
import { median } from '../median.ts'
import type { MeasuredGateway } from './gateway.ts'
import type { List } from './lists.ts'
import type { Stalls } from './meter.ts'

/** Times of pages in milliseconds. */
export interface Times {
  /** By the clock of the client: on a busy machine other processes make it longer. */
  readonly median: number
  /** From a request to its answer, the gateway worked, or waited without rest, for so long. */
  readonly cpuMedian: number
  readonly cpuLongest: number
}

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
export async function measureList(gateway: MeasuredGateway, list: List): Promise<Measured> {
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

async function measurePage(gateway: MeasuredGateway, list: List, after: string | undefined) {
  const { warmUps, reads } = list.isLong ? long : usual
  for (let index = 0; index < warmUps; index++) await readPage(gateway, list, after)
  return measure(gateway, async (page) => {
    for (let index = 0; index < reads; index++) await page(list, after)
  })
}

/** Measures the event loop during `work`, and the pages that it reads. */
export async function measure(
  gateway: MeasuredGateway,
  work: (page: (list: List, after?: string) => Promise<void>) => Promise<void>,
): Promise<{ readonly times: Times; readonly stalls: Stalls }> {
  const taken: number[] = []
  await gateway.startMeter()
  await work(async (list, after) => {
    const start = performance.now()
    await readPage(gateway, list, after, 'measured')
    taken.push(performance.now() - start)
  })
  const { worked, ...stalls } = await gateway.endMeter()
  if (worked.length !== taken.length) throw new Error('The meter has missed pages.')
  const [cpuMedian, cpuLongest] = [median([...worked]), Math.max(...worked)]
  return { times: { median: median(taken), cpuMedian, cpuLongest }, stalls }
}

/** Reads one page. Throws for errors of the answer. */
export async function readPage(
  gateway: MeasuredGateway,
  { field, selection, size, isLong = false }: List,
  after?: string,
  measured?: 'measured',
): Promise<Page<unknown>> {
  const page = `first: ${size}${after === undefined ? '' : `, after: ${JSON.stringify(after)}`}`
  const fields =
    size === undefined
      ? selection
      : `edges { cursor node { ${selection} } } pageInfo { hasNextPage endCursor }`
  const query = `{ page: ${field.replace('PAGE', page)} { ${fields} } }`
  const { data, errors } = await gateway.graph<{ page: Page<unknown> } | undefined>(query, measured)
  // On a busy machine, what is long may take too long.
  if (errors.length > 0 && !isLong) throw new Error(`${field}: ${JSON.stringify(errors)}`)
  return data?.page ?? noPage
}

const noPage: Page<unknown> = { edges: [], pageInfo: { hasNextPage: false, endCursor: null } }

async function cursorInMiddle(gateway: MeasuredGateway, list: List): Promise<string | undefined> {
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

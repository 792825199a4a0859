import type { RecordPage } from '../../../src/jobs/owned-records.ts'
import type { Authenticated } from '../../../src/contract/exchange.ts'
import type { Objects, StoredObject } from '../../../src/jobs/objects.ts'
import { wrong } from '../../../src/kit/checks.ts'
import { type ObjectFamily, idOf } from '../shared/stored-objects.ts'

const mostOfPage = 1_000
const usualOfPage = 20

/** Returns the page of the caller's objects that a request asks for, as Anthropic's lists are. */
export async function listOf(
  { caller, request }: Authenticated,
  objects: Pick<Objects, 'list'>,
  family: ObjectFamily,
  show: (object: StoredObject) => { readonly id: string },
) {
  const { isBackwards, ...page } = readPage(request.query, family)
  const { values, hasMore } = await objects.list(family.kind, caller.keyId, page)
  const data = (isBackwards ? values.toReversed() : values).map(show)
  const [first_id = null, last_id = null] = [data[0]?.id, data.at(-1)?.id]
  return { data, has_more: hasMore, first_id, last_id }
}

function readPage(
  query: string,
  family: ObjectFamily,
): RecordPage & { readonly isBackwards: boolean } {
  const parameters = new URLSearchParams(query)
  const limit = Number(parameters.get('limit') ?? usualOfPage)
  if (!Number.isInteger(limit) || limit < 1 || limit > mostOfPage)
    throw wrong('limit', `an integer from 1 to ${mostOfPage}`)
  const idIn = (name: string) => {
    const shown = parameters.get(name)
    if (shown === null) return undefined
    const id = idOf(family, shown)
    if (id === '') throw wrong(name, `the id of a ${family.noun}`)
    return id
  }
  // Lists of files name the next page by `page`; lists of batches, and older clients, by the id beside it.
  const [after = idIn('page'), before] = [idIn('after_id'), idIn('before_id')]
  // The page before a batch has those that are right above it in the list, which begins with the newest.
  const isBackwards = before !== undefined && after === undefined
  const order = isBackwards ? 'asc' : 'desc'
  return { limit, order, after: after ?? before, isBackwards }
}

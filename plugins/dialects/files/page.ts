import type { Authenticated } from '../../../src/contract/exchange.ts'
import type { Reply } from '../../../src/contract/outcome.ts'
import type { Objects, StoredObject } from '../../../src/jobs/objects.ts'
import type { RecordPage } from '../../../src/jobs/owned-records.ts'
import { wrong } from '../../../src/kit/checks.ts'
import { type ObjectFamily, idOf, json, showObject } from '../shared/stored-objects.ts'

interface ListOptions {
  readonly family: ObjectFamily
  /** The most objects of a page, and their number where a request names none. */
  readonly most: number
  readonly usual: number
  readonly wants?: (object: StoredObject) => boolean
}

/** Returns a page of the caller's objects, as they were last described. */
export async function listReply(
  { caller, request }: Authenticated,
  objects: Pick<Objects, 'list'>,
  { wants, ...options }: ListOptions,
): Promise<Reply> {
  const page = readPage(request.query, options)
  const { values, hasMore } = await objects.list(options.family.kind, caller.keyId, page, wants)
  const data = values.map((object) => showObject(options.family, object))
  return json({
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: hasMore,
  })
}

function readPage(query: string, { family, most, usual }: ListOptions): RecordPage {
  const parameters = new URLSearchParams(query)
  const limit = parameters.get('limit') ?? String(usual)
  const order = parameters.get('order') ?? 'desc'
  const after = parameters.get('after') ?? undefined
  if (!/^\d{1,5}$/.test(limit) || Number(limit) < 1 || Number(limit) > most) {
    throw wrong('limit', `an integer from 1 to ${most}`)
  }
  if (order !== 'asc' && order !== 'desc') throw wrong('order', '`asc` or `desc`')
  const id = after === undefined ? undefined : idOf(family, after)
  if (id === '') throw wrong('after', `the id of a ${family.noun}`)
  return { limit: Number(limit), order, after: id }
}

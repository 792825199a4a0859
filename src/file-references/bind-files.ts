import { parseBody } from '../body/read-body.ts'
import { contentEdit } from '../body/form/edits.ts'
import type { RequestBody } from '../contract/body.ts'
import type { Call, Pin } from '../contract/call.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Authenticated } from '../contract/exchange.ts'
import type { AccountFiles, FileFields } from '../contract/files.ts'
import type { Caller } from '../contract/request.ts'
import type { NamedData } from '../contract/stored-data.ts'
import { leaseOf } from '../exchange/record.ts'
import { type ByteEdit, applyEdits } from '../lib/json/edit.ts'
import type { JsonLimits } from '../lib/json/measure.ts'
import { findReferences } from './find-references.ts'

/** The files at accounts that a body names. */
interface NamedFiles {
  /** The edits that put the accounts' ids in the place of the gateway's. */
  readonly edits: readonly ByteEdit[]
  /** The account that has the files. Absent: the body names none of the gateway's ids. */
  readonly accountId?: string
  /** Files by accounts' own ids. */
  readonly names: readonly NamedData[]
}

/** The most different files that a body may name: each is looked up. */
const mostFiles = 1_000

/** A place that names a file by an id. */
interface NamedPlace {
  readonly name: string
  readonly param: string
  /** The edit that puts another id there. */
  edit(id: string): ByteEdit
}

/**
 * Finds the files that a body names by ids. Throws `GatewayError`: 404 for a file of another key, 400 for files of several
 * accounts, 503 if the store does not answer.
 */
export function findNamedFiles(
  { caller }: Pick<Authenticated, 'caller'>,
  body: Pick<RequestBody, 'bytes' | 'json'>,
  fields: FileFields,
  files: AccountFiles,
): Promise<NamedFiles> {
  const references = findReferences(body, fields, (name) => name.startsWith(files.prefix))
  const places = references.map(({ name, param, nameAt }) => ({
    name,
    param,
    edit: (id: string) => ({ ...nameAt, text: JSON.stringify(id) }),
  }))
  return filesAt(places, caller, files)
}

async function filesAt(
  places: readonly NamedPlace[],
  caller: Caller,
  files: AccountFiles,
): Promise<NamedFiles> {
  const known = new Map<string, string>()
  const edits: ByteEdit[] = []
  const names: NamedData[] = []
  let accountId: string | undefined
  for (const { name: id, param, edit } of places) {
    if (!files.owns(id)) {
      names.push({ kind: files.kind, id, field: param, isReference: true })
      continue
    }
    let upstreamId = known.get(id)
    if (upstreamId === undefined) {
      if (known.size === mostFiles) throw tooMany(param)
      const file = await files.find(id, caller)
      if (!file) throw notFound(files, id, param)
      if (accountId !== undefined && accountId !== file.accountId)
        throw severalAccounts(files, param)
      accountId = file.accountId
      upstreamId = file.upstreamId
      known.set(id, upstreamId)
    }
    edits.push(edit(upstreamId))
  }
  return { edits, names, ...(accountId !== undefined && { accountId }) }
}

/** A body with accounts' ids of files, and what the call has to have besides. */
export interface BoundBody {
  readonly body: RequestBody
  readonly call: Partial<Pick<Call, 'pin' | 'names' | 'edits'>>
}

/**
 * Puts accounts' ids of the files that a body names into it, and pins the call to the account that has them. Rejects with
 * `GatewayError` as `findNamedFiles` does.
 */
export async function bindFiles(
  exchange: Authenticated,
  body: RequestBody,
  parts: {
    readonly fields: FileFields
    readonly source: AccountFiles
    readonly limits: JsonLimits
  },
): Promise<BoundBody> {
  const { fields, source, limits } = parts
  const found = await findNamedFiles(exchange, body, fields, source)
  const call = requiredBy(found, source)
  if (found.edits.length === 0) return { body, call }
  const lease = () => leaseOf(exchange)
  return { body: await parseBody(applyEdits(body.bytes, found.edits), { limits, lease }), call }
}

/**
 * Does the same for the text parts of a form that hold ids; the call then has the edits. `undefined`: no part names a
 * file.
 */
export function bindForm(
  { caller }: Pick<Authenticated, 'caller'>,
  body: RequestBody,
  parts: NonNullable<FileFields['idParts']>,
  files: AccountFiles,
): Promise<BoundBody> | undefined {
  const { form } = body
  const places: NamedPlace[] = []
  for (const part of form?.parts ?? []) {
    const param = Object.hasOwn(parts, part.name) ? parts[part.name] : undefined
    const name = param === undefined ? undefined : form?.text(part.name)
    if (!form || param === undefined || !name?.startsWith(files.prefix)) continue
    places.push({ name, param, edit: (id) => contentEdit(form, part, id) })
  }
  if (places.length === 0) return undefined
  return filesAt(places, caller, files).then((found) => ({
    body,
    call: { ...requiredBy(found, files), edits: found.edits },
  }))
}

function requiredBy(
  { accountId, names }: NamedFiles,
  { noun }: AccountFiles,
): Pick<Call, 'pin' | 'names'> {
  return {
    ...(accountId !== undefined && { pin: pinOf(accountId, noun) }),
    ...(names.length > 0 && { names }),
  }
}

function pinOf(accountId: string, noun: string): Pin {
  return {
    pinnedTo: accountId,
    by: 'files',
    unavailable: (reason) =>
      new GatewayError(
        'owner_unavailable',
        `The account that has the ${noun} of this request cannot be used: ${reason}.`,
      ),
  }
}

function notFound({ title }: AccountFiles, id: string, param: string): GatewayError {
  return new GatewayError('not_found', `\`${param}\`: ${title} with id '${id}' not found.`, {
    param,
  })
}

function severalAccounts({ noun }: AccountFiles, param: string): GatewayError {
  const message = `\`${param}\`: the request names ${noun}s of different accounts.`
  return new GatewayError('invalid_value', message, { param })
}

function tooMany(param: string): GatewayError {
  const message = `The request names more than ${mostFiles} files.`
  return new GatewayError('invalid_value', message, { param })
}

import { parseBody } from '../body/read-body.ts'
import type { RequestBody } from '../contract/body.ts'
import type { Call, Pin } from '../contract/call.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Authenticated } from '../contract/exchange.ts'
import type { AccountFiles, FileFields } from '../contract/files.ts'
import type { NamedData } from '../contract/stored-data.ts'
import { leaseOf } from '../exchange/record.ts'
import { type ByteEdit, applyEdits } from '../lib/json/edit.ts'
import type { JsonLimits } from '../lib/json/measure.ts'
import { type FileReference, findReferences } from './find-references.ts'

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

/**
 * Finds the files that a body names by ids. Throws `GatewayError`: 404 for a file of another key, 400 for files of several
 * accounts, 503 if the store does not answer.
 */
export async function findNamedFiles(
  { caller }: Pick<Authenticated, 'caller'>,
  body: Pick<RequestBody, 'bytes' | 'json'>,
  fields: FileFields,
  files: AccountFiles,
): Promise<NamedFiles> {
  const references = findReferences(body, fields, (name) => name.startsWith(files.prefix))
  const known = new Map<string, string>()
  const edits: ByteEdit[] = []
  const names: NamedData[] = []
  let accountId: string | undefined
  for (const reference of references) {
    const { name: id, param } = reference
    if (!files.owns(id)) {
      names.push({ kind: 'file', id, field: param, isReference: true })
      continue
    }
    let upstreamId = known.get(id)
    if (upstreamId === undefined) {
      if (known.size === mostFiles) throw tooMany(param)
      const file = await files.find(id, caller)
      if (!file) throw notFound(id, param)
      if (accountId !== undefined && accountId !== file.accountId) throw severalAccounts(param)
      accountId = file.accountId
      upstreamId = file.upstreamId
      known.set(id, upstreamId)
    }
    edits.push({ ...reference.at, text: replacement(reference, upstreamId) })
  }
  return { edits, names, ...(accountId !== undefined && { accountId }) }
}

/** The JSON member, without braces, with the account's id. */
function replacement({ member, within }: FileReference, id: string): string {
  const value = within === undefined ? id : { type: 'file', [within]: id }
  return JSON.stringify({ [member]: value }).slice(1, -1)
}

/** A body with accounts' ids of files, and what the call has to have besides. */
export interface BoundBody {
  readonly body: RequestBody
  readonly call: Partial<Pick<Call, 'pin' | 'names'>>
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
  const { edits, accountId, names } = await findNamedFiles(exchange, body, fields, source)
  const call = {
    ...(accountId !== undefined && { pin: pinOf(accountId) }),
    ...(names.length > 0 && { names }),
  }
  if (edits.length === 0) return { body, call }
  const lease = () => leaseOf(exchange)
  return { body: await parseBody(applyEdits(body.bytes, edits), { limits, lease }), call }
}

function pinOf(accountId: string): Pin {
  return {
    pinnedTo: accountId,
    by: 'files',
    unavailable: (reason) =>
      new GatewayError(
        'owner_unavailable',
        `The account that has the file of this request cannot be used: ${reason}.`,
      ),
  }
}

function notFound(id: string, param: string): GatewayError {
  return new GatewayError('not_found', `\`${param}\`: File with id '${id}' not found.`, { param })
}

function severalAccounts(param: string): GatewayError {
  const message = `\`${param}\`: the request names files of different accounts.`
  return new GatewayError('invalid_value', message, { param })
}

function tooMany(param: string): GatewayError {
  const message = `The request names more than ${mostFiles} files.`
  return new GatewayError('invalid_value', message, { param })
}

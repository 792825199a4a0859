import type { AttemptPlan, ReadReply } from '../../../src/contract/attempt.ts'
import type { Candidate } from '../../../src/contract/candidate.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import type { Authenticated, Understood } from '../../../src/contract/exchange.ts'
import type { AccountFiles } from '../../../src/contract/files.ts'
import {
  type AccountClient,
  type PerformOperation,
  defineOperation,
} from '../../../src/contract/operation.ts'
import type { Outbound } from '../../../src/contract/outbound.ts'
import type { Outcome, Reply } from '../../../src/contract/outcome.ts'
import { isJobId } from '../../../src/jobs/ids.ts'
import { aboutJob } from '../../../src/jobs/job.ts'
import {
  type ObjectKind,
  type Objects,
  type StoredObject,
  ownObject,
} from '../../../src/jobs/objects.ts'
import { accountOf } from '../../../src/jobs/owner.ts'
import { settlingSeconds } from '../../../src/jobs/refresh-job.ts'
import { fillPath } from '../../../src/kit/account-path.ts'

/** A kind of objects that accounts store, and how an API names and asks for one. */
export interface ObjectFamily {
  readonly kind: ObjectKind
  /** In messages about an unknown one: `File`. */
  readonly title: string
  /** In messages about its account: `file`. */
  readonly noun: string
  /** The beginning of its ids for clients. */
  readonly prefix: string
  /** The beginning of the account's own names in requests, which its ids in paths lack. Absent: none. */
  readonly accountPrefix?: string
  /** The path of all, with a slash at its end, at accounts too. */
  readonly folder: string
  /** The path of one at the gateway, with `{id}`. Absent: that at accounts. */
  readonly pattern?: string
  readonly capability: 'stored-file' | 'stored-batch' | 'stored-cache'
}

type Named = Pick<ObjectFamily, 'prefix'>

/** Returns the id of an object for clients. */
export function shownId({ prefix }: Named, id: string): string {
  return prefix + id
}

/** Returns the id of an object by its id for clients; `''` if the text is no such id. */
export function idOf({ prefix }: Named, shown: string): string {
  const id = shown.startsWith(prefix) ? shown.slice(prefix.length) : ''
  return isJobId(id) ? id : ''
}

/** Returns an object as clients see it. */
export function showObject(family: Named, { id, shown }: Pick<StoredObject, 'id' | 'shown'>) {
  return { id: shownId(family, id), ...shown }
}

/** Returns the path of an object at its account. */
export function pathOf(
  { folder }: Pick<ObjectFamily, 'folder'>,
  upstreamId: string,
  action = '',
): string {
  return fillPath(`${folder}{id}${action}`, { id: upstreamId })
}

/** In characters. */
const longestShown = 200

/** Returns the same error for unknown, expired and other keys' objects. `param`: the field that names it. */
export function notFound(
  { title }: Pick<ObjectFamily, 'title'>,
  shown: string,
  param?: string,
): GatewayError {
  const id = shown.length > longestShown ? `${shown.slice(0, longestShown)}...` : shown
  const message = `${title} with id '${id}' not found.`
  return new GatewayError('not_found', message, param === undefined ? {} : { param })
}

/** The account of an object, and how it is asked. */
export interface AtAccount {
  readonly object: StoredObject
  readonly candidate: Candidate
  readonly accountClient: AccountClient
  /** The error for an object that the account does not know any more. */
  readonly notFound: () => GatewayError
}

interface ObjectSettings extends Pick<
  PerformOperation,
  'id' | 'method' | 'summary' | 'schema' | 'replies' | 'body'
> {
  /** Behind the id in the path. */
  readonly action?: string
  /** Checks the body, if there is one. */
  check?(exchange: Authenticated, body: Parameters<PerformOperation['understand']>[1]): void
  perform(exchange: Understood, at: AtAccount): Promise<Reply>
}

/** Defines an operation on an object of the caller, which asks its account by look-ups. */
export function onObject(
  family: ObjectFamily,
  objects: Pick<Objects, 'find'>,
  { action = '', check, perform, ...shape }: ObjectSettings,
): PerformOperation {
  const { folder, prefix, kind, noun, capability, pattern = `${folder}${prefix}{id}` } = family
  return defineOperation({
    ...shape,
    ...(!check && { body: shape.body ?? 'none' }),
    paths: [pattern + action],
    auth: 'key',
    capability,
    understand(exchange, body) {
      check?.(exchange, body)
      return aboutJob
    },
    async perform(exchange, _send, accountClient) {
      const { id = '' } = exchange.params
      const unknown = () => notFound(family, shownId(family, id))
      const object = await ownObject(exchange, objects, [kind, id], unknown)
      const candidate = accountOf(exchange, object, noun)
      return perform(exchange, { object, candidate, accountClient, notFound: unknown })
    },
  })
}

/** Turns a 404 of the account into the gateway's own error, which does not name the account's id. */
export function orNotFound(unknown: () => GatewayError): (error: unknown) => never {
  return (error) => {
    throw isNotFound(error) ? unknown() : error
  }
}

/** Ignores a 404 of the account, which means that the object is already deleted there. */
export function unlessNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error
}

/** Google answers 403 `... not found (or permission denied)` (docs/wire/gemini.md 1.6). */
function isNotFound(error: unknown): boolean {
  if (!GatewayError.isInstance(error)) return false
  const status = error.upstream?.status
  return status === 404 || (status === 403 && error.message.includes('not found'))
}

/**
 * Ignores the error of an account that is away, or that does not know a new object yet, which leaves the last known
 * state. `now`: milliseconds since 1970.
 */
export function unlessAway(
  { object, notFound: unknown }: AtAccount,
  now: number,
): (error: unknown) => undefined {
  return (error) => {
    if (!GatewayError.isInstance(error)) throw error
    if (error.code === 'client_closed_request' || error.code === 'internal_error') throw error
    if (isNotFound(error) && now / 1_000 - object.createdAt > settlingSeconds) throw unknown()
  }
}

/** The files of keys, for requests that name them. */
export function accountFilesOf(family: ObjectFamily, objects: Pick<Objects, 'find'>): AccountFiles {
  return {
    prefix: family.prefix,
    kind: family.kind === 'cached-content' ? 'cache' : 'file',
    title: family.title,
    noun: family.noun,
    owns: (id) => idOf(family, id) !== '',
    async find(id, { keyId }) {
      const found = await objects.find(family.kind, idOf(family, id), keyId)
      if (!found) return undefined
      const { accountId, upstreamId } = found
      return { accountId, upstreamId: (family.accountPrefix ?? '') + upstreamId }
    },
  }
}

/** An object that an account has created, and what the client reads of it. */
interface Created {
  readonly object: StoredObject
  readonly shown: object
  readonly outcome?: Partial<Outcome>
}

/** Plans the request that creates an object. `read` returns `undefined` for a reply that names none. */
export function planCreation(
  outbound: Outbound,
  objects: Pick<Objects, 'create'>,
  read: (json: unknown) => Created | undefined,
): AttemptPlan {
  let object: StoredObject | undefined
  return {
    outbound,
    observer() {
      throw new Error('The reply is not a stream.')
    },
    read(json) {
      const created = read(json)
      if (!created) return unreadable
      object = created.object
      return {
        outcome: { status: 'completed', fault: 'none', ...created.outcome },
        status: 200,
        body: Buffer.from(JSON.stringify(created.shown)),
      }
    },
    persist: () => object && objects.create(object),
  }
}

/** The reply of an account that names nothing that it has created. */
const unreadable: ReadReply = {
  failedHere: true,
  outcome: {
    status: 'failed',
    fault: 'account',
    error: new GatewayError('upstream_invalid_reply', 'The upstream’s reply names no object.'),
  },
}

/** Returns a 200 reply with a JSON body. */
export function json(body: object, headers: Record<string, string> = {}): Reply {
  return {
    status: 200,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  }
}

/** A file of an account, which keeps browsers from running it, because it comes from the gateway's own origin. */
export function asDownload(reply: Reply, id: string): Reply {
  return {
    ...reply,
    headers: {
      'content-type': 'application/octet-stream',
      ...reply.headers,
      // The account's own name of a file may contain its id, which clients must not see.
      'content-disposition': `attachment; filename="${id}"`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    },
  }
}

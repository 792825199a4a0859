import type { AttemptPlan, RelayPlan } from '../contract/attempt.ts'
import type { Outbound } from '../contract/outbound.ts'
import type { Routed } from '../contract/exchange.ts'
import type { NativeForward, Target } from '../contract/operation.ts'
import { accountFraming, clientFraming } from '../kit/framing/sse.ts'
import { ChangingObserver, type FrameChange } from './changing-observer.ts'
import {
  ModelRenamer,
  type ReadNative,
  framesWithClientId,
  idEdits,
  readWithClientId,
  renamePath,
} from './rename.ts'
import type { RequestBody } from '../contract/body.ts'
import { isObject } from '../lib/json/object.ts'
import { isThenable } from '../lib/maybe-promise.ts'
import { type ByteEdit, applyEdits } from '../lib/json/edit.ts'
import { type Recipient, forwardedHeaders, forwardedQuery } from '../exchange/headers.ts'
import type { LossPolicy } from '../generate/unsupported.ts'
import { recordLosses } from './adapt.ts'
import { createOutbound } from './outbound.ts'
import { writtenReply } from './written-reply.ts'

/**
 * Plans a native attempt: the account gets the client's bytes, and the client gets the account's, except
 * for the name of the model where `replyModel` says so, and for the id of a resource that moves between accounts.
 */
export function planNativeAttempt(
  exchange: Routed,
  forward: NativeForward,
  policy?: LossPolicy,
): AttemptPlan | RelayPlan {
  const { modelPaths } = forward
  const name = replyModelOf(exchange)
  const renamed = exchange.progress.routing?.renamed
  const from = accountFraming(exchange.candidate.dialect)
  const target = forward.target(exchange)
  const renamerOf = (kind: 'frame' | 'reply') =>
    name !== undefined && modelPaths ? new ModelRenamer(modelPaths[kind], name, from) : undefined
  const read: ReadNative = (json, received) => {
    const outcome =
      json === undefined && received && forward.outcomeOfText
        ? forward.outcomeOfText(received)
        : forward.outcome(json, exchange)
    const reportsFailure = forward.reportsFailure?.(json) ?? false
    const settled = reportsFailure ? { outcome, reportsFailure } : { outcome }
    const renamer = renamerOf('reply')
    const corrected =
      received && outcome.status === 'completed' && isObject(json)
        ? forward.corrected?.(json, exchange)
        : undefined
    if (corrected && received) {
      const written = writtenReply(corrected, received.length, exchange)
      const named = (bytes: Buffer) => ({ ...settled, body: renamer?.inJson(bytes) ?? bytes })
      return isThenable(written) ? written.then(named) : named(written)
    }
    const body = received && renamer?.inJson(received)
    return body ? { ...settled, body } : settled
  }
  const outbound = createNativeRequest(
    exchange,
    renamed ? renamePath(target, renamed) : target,
    [...(forward.accountEdits?.(exchange) ?? []), ...(renamed ? idEdits(exchange, renamed) : [])],
    policy,
  )
  const content = forward.content?.(exchange)
  if (content) return { outbound, content }
  return {
    outbound,
    mayBeText: forward.mayBeText?.(exchange),
    otherForm: forward.otherForm?.(exchange),
    observer() {
      const own = forward.observer(exchange)
      const to = clientFraming(exchange.dialect, exchange.request)
      const changes: FrameChange[] = []
      if (renamed) changes.push((frames) => framesWithClientId(frames, renamed, from))
      const model = renamerOf('frame')
      if (model) changes.push((frames) => model.inFrames(frames))
      if (changes.length === 0 && from === to) return own
      return new ChangingObserver(own, { from, to, changes, reportedModel: () => model?.reported })
    },
    read: renamed ? readWithClientId(read, renamed, exchange.caller.keyId) : read,
  }
}

/**
 * The name of the model that replaces the account's own in a reply: the client's, if its alias or the
 * account has `replyModel: 'client'`. Undefined if the account's stays, and for calls without a model.
 */
export function replyModelOf({ model, candidate }: Routed): string | undefined {
  const replyModel = model.replyModel ?? candidate.account.replyModel
  return replyModel === 'client' && model.requested !== '' ? model.requested : undefined
}

/**
 * Builds the request to a native candidate: the client's bytes with the edits of the call and for the account. Throws
 * `Declined` if the account's provider has no such request, or loses what `policy` forbids to lose.
 */
export function createNativeRequest(
  exchange: Routed,
  target: Target,
  accountEdits: readonly ByteEdit[] = [],
  policy: LossPolicy = 'drop',
): Outbound {
  const { request, call, body, candidate, operation, credential } = exchange
  const { account, dialect } = candidate
  const { keyId } = exchange.caller
  const recipient = { upstream: dialect.upstream, account, credential, keyId }
  return createOutbound(candidate, request, {
    method: operation.method,
    path: target.path,
    query: queryOf(target, recipient),
    accept: call.stream ? accountFraming(candidate.dialect).mediaTypes[0] : 'application/json',
    contentType: contentTypeOf(body),
    forwarded: forwardedHeaders(request.headers, recipient),
    headers: target.headers,
    body: editedBody(body, [...call.edits, ...accountEdits, ...modelEdit(exchange)]),
    stream: call.stream,
    drop: account.adaptations && recordLosses(exchange, policy),
  })
}

function queryOf({ query = '', ownQuery = '' }: Target, recipient: Recipient): string {
  const passing = forwardedQuery(query, recipient)
  return passing && ownQuery ? `${passing}&${ownQuery}` : passing || ownQuery
}

function contentTypeOf({ form, opaque, bytes }: RequestBody): string | undefined {
  if (form) return form.contentType
  if (opaque) return opaque.type
  return bytes.length > 0 ? 'application/json' : undefined
}

function editedBody(
  { form, opaque, bytes }: RequestBody,
  edits: readonly ByteEdit[],
): Outbound['body'] {
  if (opaque) return opaque
  if (form) return { length: form.replay(edits).length, open: () => form.replay(edits).stream }
  return bytes.length > 0 ? applyEdits(bytes, edits) : null
}

function modelEdit({ call, candidate, body }: Routed): ByteEdit[] {
  if (!call.modelAt || candidate.upstreamModel === call.model) return []
  const name = (call.modelPrefix ?? '') + candidate.upstreamModel
  return [{ ...call.modelAt, text: body.form ? name : JSON.stringify(name) }]
}

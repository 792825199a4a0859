import {
  type BindingLookup,
  auditTargetOf,
  findBinding,
  itemsOf,
} from '../../admin/binding-lookup.ts'
import { audited, beforeActingOn } from '../audit/act.ts'
import { CommandError, type Invocation } from '../command.ts'
import { useLocalGateway } from '../local-gateway.ts'
import { requireReason } from '../operand.ts'
import { doAct } from '../remote/act.ts'
import { isRemote } from '../remote/address.ts'
import { type AdminClient, adminClientOf } from '../remote/client.ts'
import { acts, queries } from '../remote/operations.ts'
import { assertStorePersists, readForStore } from '../use-store.ts'
import { type NamedBinding, requireBinding } from './named.ts'

/** `dragoman bindings forget ID --key ID --reason TEXT`. */
export async function run(invocation: Invocation): Promise<number> {
  const { terminal, options } = invocation
  const named = requireBinding(invocation, 'bindings forget')
  const reason = requireReason(invocation)
  const kind = isRemote(invocation)
    ? await forgetRemotely(invocation, named, reason)
    : await forgetHere(invocation, named, reason)
  const { id, keyId } = named
  if (options['json'] !== undefined) terminal.out(JSON.stringify({ id, kind, keyId }))
  terminal.say(`The ${kind} "${id}" of the key "${keyId}" is forgotten. The account keeps its own.`)
  return 0
}

/** Resolves with the kind of the resource. */
async function forgetRemotely(
  invocation: Invocation,
  named: NamedBinding,
  reason: string,
): Promise<string> {
  const client = adminClientOf(invocation)
  const kind = named.kind ?? (await findKind(client, named))
  await doAct(client, acts.forgetBinding, { ...named, kind, reason })
  return kind
}

/** The kind of a binding, also of a damaged one. Rejects with `CommandError` if there is none. */
async function findKind(client: AdminClient, named: NamedBinding): Promise<string> {
  const { id, keyId } = named
  const { binding } = await client.request(queries.bindingKind, { id, keyId })
  const { state, reason, kind } = binding
  if (state === 'MISSING') throw missing(named)
  if (typeof kind === 'string') return kind
  throw unknown(reason ?? 'The gateway does not say why.')
}

/** The content may have items with bindings of their own, which the dialects know. */
async function forgetHere(
  invocation: Invocation,
  named: NamedBinding,
  reason: string,
): Promise<string> {
  const configuration = await readForStore(invocation)
  assertStorePersists(configuration, 'ask the running gateway with --url')
  return await useLocalGateway(configuration, invocation, async (running) => {
    const sought = {
      action: 'binding.forget',
      target: auditTargetOf({ ...named, kind: named.kind ?? '*' }),
      reason,
    }
    const found = await beforeActingOn(running.store, sought, () => findHere(running, named))
    const { name, binding } = found
    const { kind, keyId } = name
    const act = {
      ...sought,
      target: auditTargetOf(name),
      before: {
        keyId,
        kind,
        ...(binding ? { accountId: binding.account, model: binding.model } : { damaged: true }),
      },
    }
    const { bindings } = running.shared
    await audited(running.store, act, async () =>
      bindings?.forget(name, itemsOf(running.plugins, kind)),
    )
    return kind
  })
}

/** A binding, also a damaged one. Rejects with `CommandError` if there is none. */
async function findHere(
  running: Parameters<typeof findBinding>[0],
  named: NamedBinding,
): Promise<BindingLookup> {
  const found = await findBinding(running, named)
  if (found.state === 'MISSING') throw missing(named)
  if (found.binding || found.isDamaged) return found
  throw unknown(found.reason)
}

function missing({ id, keyId }: NamedBinding): CommandError {
  return new CommandError(`The key "${keyId}" has no binding "${id}".`)
}

function unknown(reason: string | undefined): CommandError {
  return new CommandError(`Whether the binding exists is not known: ${reason}`)
}

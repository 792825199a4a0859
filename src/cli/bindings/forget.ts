import {
  type BindingLookup,
  anyKind,
  auditTargetOf,
  findBinding,
  itemsOf,
  noBinding,
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
  const reason = requireReason(invocation, 'bindings forget')
  const kind = isRemote(invocation)
    ? await forgetRemotely(invocation, named, reason)
    : await forgetHere(invocation, named, reason)
  const { id, keyId } = named
  if (options['json'] !== undefined) terminal.out(JSON.stringify({ id, kind, keyId }))
  terminal.say(`The ${kind} "${id}" of the key "${keyId}" is forgotten. The account keeps its own.`)
  return 0
}

/** Resolves with the kind of the resource. The act itself says that there is none, so that it has a record. */
async function forgetRemotely(
  invocation: Invocation,
  named: NamedBinding,
  reason: string,
): Promise<string> {
  const client = adminClientOf(invocation)
  const kind = named.kind ?? (await findKind(client, named))
  await doAct(client, acts.forgetBinding, { ...named, kind: kind ?? anyKind, reason })
  return kind ?? 'binding'
}

/** The kind of a binding, also of a damaged one; `undefined` if there is none, or the gateway cannot say. */
async function findKind(
  client: AdminClient,
  { id, keyId }: NamedBinding,
): Promise<string | undefined> {
  const { binding } = await client.request(queries.bindingKind, { id, keyId })
  const { state, kind } = binding
  return state !== 'MISSING' && typeof kind === 'string' ? kind : undefined
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
      target: auditTargetOf({ ...named, kind: named.kind ?? anyKind }),
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
  if (found.state === 'MISSING') throw new CommandError(noBinding(named))
  if (found.binding || found.isDamaged) return found
  throw unknown(found.reason)
}

function unknown(reason: string | undefined): CommandError {
  return new CommandError(`Whether the binding exists is not known: ${reason}`)
}

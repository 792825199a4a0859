import { answersFor } from '../../admin/binding-answers.ts'
import { type BindingLookup, findBinding } from '../../admin/binding-lookup.ts'
import { whyNoKey } from '../../admin/unknown-key.ts'
import { CommandError, type Invocation } from '../command.ts'
import { useLocalGateway } from '../local-gateway.ts'
import { isRemote } from '../remote/address.ts'
import { adminClientOf } from '../remote/client.ts'
import { quoted } from '../remote/failures.ts'
import type { BindingAnswerNode, BindingLookupNode } from '../remote/nodes.ts'
import { queries } from '../remote/operations.ts'
import { alignColumns } from '../table.ts'
import { readForStore } from '../use-store.ts'
import { bindingRow, bindingTitles, describeAnswer } from './describe.ts'
import { type NamedBinding, requireBinding } from './named.ts'
import { bindingNode } from './stored.ts'

/** `dragoman bindings show ID --key ID`: the binding, and how calls that name it would be answered. */
export async function run(invocation: Invocation): Promise<number> {
  const { terminal, options } = invocation
  const named = requireBinding(invocation, 'bindings show')
  const lookup = isRemote(invocation)
    ? (await adminClientOf(invocation).request(queries.binding, named)).binding
    : await lookUpHere(invocation, named)
  if (options['json'] !== undefined) terminal.out(JSON.stringify(lookup))
  const { state, reason, binding, answers = [] } = lookup
  if (state === 'MISSING') {
    if (options['json'] === undefined && answers.length > 0)
      terminal.out(answers.map(describeAnswer).join('\n'))
    const why = reason === null ? '' : ` ${quoted(reason)}`
    throw new CommandError(`The key "${named.keyId}" has no binding "${named.id}".${why}`)
  }
  if (!binding) throw new CommandError(`Whether the binding exists is not known: ${quoted(reason)}`)
  if (options['json'] !== undefined) return 0
  const table = alignColumns([bindingTitles, bindingRow(binding)])
  terminal.out([...table, ...answers.map(describeAnswer)].join('\n'))
  return 0
}

/** The answers of calls need every account, so that they are left out where some have problems. */
async function lookUpHere(invocation: Invocation, named: NamedBinding): Promise<BindingLookupNode> {
  const configuration = await readForStore(invocation)
  return await useLocalGateway(configuration, invocation, async (running) => {
    const found = await findBinding(running, named)
    const { state, name, binding } = found
    const { reason = state === 'MISSING' ? await whyNoKey({ running }, named.keyId) : undefined } =
      found
    return {
      state,
      reason: reason ?? null,
      binding: binding ? bindingNode({ ...name, binding }) : null,
      ...(configuration.problems.length === 0 && {
        answers: await answersHere({ running, settings: () => configuration.settings }, found),
      }),
    }
  })
}

async function answersHere(
  services: Parameters<typeof answersFor>[0],
  found: BindingLookup,
): Promise<BindingAnswerNode[]> {
  const answers = await answersFor(services, found, undefined)
  return answers.map(({ use, dialect, status, code = null, message = null, account = null }) => ({
    use,
    dialect,
    status,
    code,
    message,
    accountId: account,
  }))
}

import { defined } from '../../lib/json/object.ts'
import type { Invocation } from '../command.ts'
import { reasonFor, requireId } from '../operand.ts'
import { limitOf, mapPages, printList } from '../print-list.ts'
import { doAct, readPages, useAdmin } from '../remote/admin.ts'
import type { TeamNode } from '../remote/nodes.ts'
import { acts, lists } from '../remote/operations.ts'

/** The advice for a store in memory. */
const change = { instead: 'add the team to teams in the configuration' }

/** `dragoman teams list`. */
export function list(invocation: Invocation): Promise<number> {
  const limit = limitOf(invocation)
  return useAdmin(invocation, {}, (admin) =>
    printList(invocation, mapPages(readPages(admin, lists.teams, { limit }), describeTeam), {
      titles: ['ID', 'NAME', 'MODELS', 'FROM'],
      row: ({ id, name = '', models, from }) => [id, name, models?.join(',') ?? 'all', from],
      none: 'No teams exist. Add them to teams in the configuration, or create one by `teams create`.',
    }),
  )
}

/** `dragoman teams create ID`. */
export async function create(invocation: Invocation): Promise<number> {
  const { terminal, options } = invocation
  const id = requireId(invocation, 'team', 'teams create')
  const { name, models, reason } = options
  const names = models?.split(',').map((one) => one.trim())
  const input = defined({ id, name, models: names, reason })
  const { team } = await useAdmin(invocation, change, (admin) =>
    doAct(admin, acts.createTeam, input),
  )
  if (options['json'] !== undefined)
    terminal.out(JSON.stringify(team ? describeTeam(team) : { id }))
  terminal.say(`The team "${id}" is created. \`keys create --team ${id}\` issues its keys.`)
  return 0
}

/** `dragoman teams delete ID`. */
export async function remove(invocation: Invocation): Promise<number> {
  const { terminal, options } = invocation
  const id = requireId(invocation, 'team', 'teams delete')
  const input = { id, reason: reasonFor(invocation, 'teams delete') }
  await useAdmin(invocation, change, (admin) => doAct(admin, acts.deleteTeam, input))
  if (options['json'] !== undefined) terminal.out(JSON.stringify({ id }))
  terminal.say(`The team "${id}" is deleted, with its limits of the store.`)
  return 0
}

function describeTeam({ id, name, models, managedBy }: TeamNode) {
  const from = managedBy === 'FILE' ? 'configuration' : 'store'
  return { id, ...(name !== null && { name }), ...(models && { models }), from }
}

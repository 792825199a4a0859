import { visibleInLine } from '../../lib/visible.ts'
import type { Invocation } from '../command.ts'
import { isRemote } from '../remote/address.ts'
import { useAdmin } from '../remote/admin.ts'
import { quoted } from '../remote/failures.ts'
import { queries } from '../remote/operations.ts'
import { describeExplanation } from './describe.ts'
import { readInput } from './input.ts'

/** `dragoman explain`: shows how a request would be served. Nothing is sent to an account. */
export async function run(invocation: Invocation): Promise<number> {
  const { terminal, options } = invocation
  const input = await readInput(invocation)
  const isAsked = isRemote(invocation)
  const { explain } = await useAdmin(invocation, { isStrict: true }, (admin) =>
    admin.request(queries.explain, { input }),
  )
  // A command has no pauses and circuits of its own.
  const explanation = isAsked ? explain : { ...explain, processId: null }
  if (options['json'] !== undefined) terminal.out(JSON.stringify(explanation))
  else for (const line of describeExplanation(explanation)) terminal.out(visibleInLine(line))
  if (!isAsked) {
    terminal.say(
      'From the configuration and the store: pauses and circuits of running gateways are not known here, --url asks one.',
    )
  } else if (options['json'] === undefined) {
    const process = quoted(explanation.processId)
    terminal.say(
      `The process ${process} has these pauses, refusals and circuits; another may answer otherwise.`,
    )
  }
  return 0
}

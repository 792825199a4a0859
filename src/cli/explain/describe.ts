import { causesOf, describeOut } from '../accounts/describe.ts'
import type { CandidateNode, ExcludedNode, ExplanationNode } from '../remote/nodes.ts'
import { alignColumns } from '../table.ts'

/** How a request would be served, in lines. */
export function describeExplanation(explanation: ExplanationNode): string[] {
  const { operation, resolvedModel, fallbacks, rule, pinned, moves, losses, answer } = explanation
  return [
    ...(operation === null ? [] : [`Operation: ${operation}`]),
    ...fallbacks.flatMap(({ model, next, on, error, excluded }) => [
      `Fallback: ${model} fails with ${error}, which is ${on}; ${next} stands in`,
      ...excluded.map((one) => `  ${one.accountId}: ${causeOf(one)}`),
    ]),
    ...(resolvedModel === null ? [] : [`Model: ${resolvedModel}`]),
    ...(rule === null ? [] : [`Rule: ${rule}${pinned ? ', no other account may serve it' : ''}`]),
    ...accountTable(explanation),
    ...(moves ? ['The conversation would first move to the chosen account.'] : []),
    ...losses.map(({ field, reason }) => `Lost: ${field} (${reason})`),
    ...(answer === null ? [] : [answerOf(answer)]),
  ]
}

function accountTable({
  candidates,
  candidatesOmitted,
  excluded,
  excludedOmitted,
  chosen,
}: ExplanationNode): string[] {
  const omitted = candidatesOmitted + excludedOmitted
  const rows = [
    ...candidates.map(({ accountId, native, dialect, upstreamModel, chance, why, elsewhere }) => [
      accountId,
      accountId === chosen?.accountId ? 'chosen' : 'candidate',
      `${Math.round(chance * 100)}%`,
      native ? dialect : `${dialect} (translated)`,
      upstreamModel ?? '',
      [...(why === null ? [] : [why]), ...elsewhere.map(outOf)].join('; '),
    ]),
    ...excluded.map((one) => [one.accountId, 'excluded', '', '', '', causeOf(one)]),
  ]
  return [
    ...(rows.length === 0
      ? []
      : alignColumns([['ACCOUNT', 'VERDICT', 'CHANCE', 'DIALECT', 'MODEL', 'WHY'], ...rows])),
    ...(omitted === 0 ? [] : [`Accounts that are not shown: ${omitted}`]),
  ]
}

function causeOf({ by, reason, field, status, until }: ExcludedNode): string {
  return [
    `${by}: ${reason}`,
    ...(field === null ? [] : [field]),
    ...(status === null ? [] : [`status ${status}`]),
    ...(until === null ? [] : [`until ${until}`]),
  ].join(', ')
}

function outOf(one: CandidateNode['elsewhere'][number]): string {
  return `other process ${one.processId}: ${causesOf([describeOut(one.processId, one)])}`
}

function answerOf({ status, code, message }: NonNullable<ExplanationNode['answer']>): string {
  if (code === null) return `The gateway itself answers ${status}.`
  return `The gateway itself answers ${status} ${code}: ${message}`
}

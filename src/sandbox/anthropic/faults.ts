import { type Problem, badRequest } from '../problem.ts'
import type { Fault } from '../fault.ts'

/** Anthropic's error for a request of the wrong shape. */
export function explainAnthropicFault(fault: Fault): Problem {
  return badRequest(`${fault.path.join('.')}: ${reasonOf(fault)}`)
}

function reasonOf(fault: Fault): string {
  switch (fault.kind) {
    case 'missing':
      return 'Field required'
    case 'unknown':
      return 'Extra inputs are not permitted'
    case 'type':
      return `Input should be ${fault.expected}, but is ${fault.actual}`
    case 'choice':
      return `Input should be ${fault.allowed.map((value) => `'${value}'`).join(', ')}`
    case 'limit':
      return reasonOfLimit(fault)
    case 'pattern':
      return `String should match pattern '${fault.pattern}'`
    case 'rule':
      return fault.message
  }
}

function reasonOfLimit({ of, bound, limit }: Fault & { kind: 'limit' }): string {
  const least = bound === 'min' ? 'least' : 'most'
  if (of === 'length') return `String should have at ${least} ${counted(limit, 'character')}`
  if (of === 'items') return `List should have at ${least} ${counted(limit, 'item')}`
  return `Input should be ${bound === 'min' ? 'greater' : 'less'} than or equal to ${limit}`
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

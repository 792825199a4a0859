import { type Problem, badRequest } from '../problem.ts'
import type { Fault, Path } from '../fault.ts'

/** OpenAI's error for a request of the wrong shape. */
export function explainOpenAiFault(fault: Fault): Problem {
  const at = pathOf(fault.path)
  switch (fault.kind) {
    case 'missing':
      return badRequest(`Missing required parameter: '${at}'.`, at, 'missing_required_parameter')
    case 'unknown':
      return badRequest(unknownMessage(fault.path), at, 'unknown_parameter')
    case 'type':
      return badRequest(
        `Invalid type for '${at}': expected ${fault.expected}, but got ${fault.actual} instead.`,
        at,
        'invalid_type',
      )
    case 'choice':
      return badRequest(
        `Invalid value: '${String(fault.actual)}'. Supported values are: ` +
          `${fault.allowed.map((value) => `'${value}'`).join(', ')}.`,
        at,
        'invalid_value',
      )
    case 'limit':
      return explainLimit(fault, at)
    case 'pattern':
      return badRequest(
        `Invalid '${at}': string does not match pattern. Expected a string that matches the ` +
          `pattern '${fault.pattern}'.`,
        at,
        'invalid_value',
      )
    case 'rule':
      return badRequest(fault.message, at, fault.code)
  }
}

function explainLimit(fault: Fault & { kind: 'limit' }, at: string): Problem {
  const nouns = { number: 'number', length: 'string', items: 'array' }
  const measures = { number: 'value', length: 'length', items: 'item count' }
  const side = fault.bound === 'min' ? 'below_min' : 'above_max'
  const than = fault.bound === 'min' ? '>=' : '<='
  return badRequest(
    `Invalid '${at}': ${side.replace('_', ' ')}imum ${measures[fault.of]}. Expected a ` +
      `${measures[fault.of]} ${than} ${fault.limit}, but got ${fault.actual} instead.`,
    at,
    `${nouns[fault.of]}_${side}_${measures[fault.of].replace(' ', '_')}`,
  )
}

function unknownMessage(path: Path): string {
  return path.length === 1
    ? `Unrecognized request argument supplied: ${path[0]}`
    : `Unknown parameter: '${pathOf(path)}'.`
}

function pathOf(path: Path): string {
  return path
    .map((step, index) =>
      typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`,
    )
    .join('')
}

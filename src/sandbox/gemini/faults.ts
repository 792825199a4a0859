import { type Problem, badRequest } from '../problem.ts'
import type { Fault, Path } from '../fault.ts'

/** Google's error for a request of the wrong shape. */
export function explainGoogleFault(fault: Fault): Problem {
  const at = pathOf(fault.path)
  switch (fault.kind) {
    case 'missing':
      return badRequest(`* GenerateContentRequest.${at}: ${at} is not specified`)
    case 'unknown': {
      const parent = pathOf(fault.path.slice(0, -1))
      const where = parent === '' ? '' : ` at '${parent}'`
      const name = String(fault.path.at(-1))
      return badRequest(
        `Invalid JSON payload received. Unknown name "${name}"${where}: Cannot find field.`,
      )
    }
    case 'type':
      return badRequest(`Invalid value at '${at}': expected ${fault.expected}, got ${fault.actual}`)
    case 'choice':
      return badRequest(
        `Invalid value at '${at}': "${String(fault.actual)}", expected one of ` +
          fault.allowed.join(', '),
      )
    case 'limit':
      return badRequest(
        `* GenerateContentRequest.${at}: must be at ${fault.bound === 'min' ? 'least' : 'most'} ` +
          `${fault.limit}, but is ${fault.actual}`,
      )
    case 'pattern':
      return badRequest(`Invalid value at '${at}': does not match ${fault.pattern}`)
    case 'rule':
      return badRequest(fault.message)
  }
}

function pathOf(path: Path): string {
  return path
    .map((step, index) =>
      typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`,
    )
    .join('')
}

import type { Fault } from '../fault.ts'
import { Problem, badRequest } from '../problem.ts'
import type { Provider } from '../provider.ts'
import type { Frame } from '../wire/frame.ts'

/** Amazon Bedrock: exceptions by name in a header, a bearer key or a signature. */
export const bedrock: Provider = {
  name: 'bedrock',
  credentials: ['authorization'],
  signedFor: 'bedrock',
  requestIdHeader: 'x-amzn-requestid',
  replyHeaders: () => ({}),
  renderProblem: ({ message }) => ({ message }),
  problemHeaders: (problem) => ({ 'x-amzn-errortype': exceptionOf(problem) }),
  explainFault: (fault) => badRequest(`${reasonOf(fault)} at '${fault.path.join('.')}'`),
  wrongContentType: (contentType) =>
    badRequest(`Content type '${contentType}' is not application/json.`),
  wrongKey: (key) =>
    key === undefined
      ? new Problem(403, 'Missing Authentication Token', {
          code: 'MissingAuthenticationTokenException',
        })
      : new Problem(403, 'The security token included in the request is invalid.', {
          code: 'UnrecognizedClientException',
        }),
}

/** The name of the exception for a problem: the name that a directive demands, or the name for the status. */
function exceptionOf({ status, details }: Problem): string {
  return details.code ?? exceptions[status] ?? (status >= 500 ? exceptions[500]! : exceptions[400]!)
}

/** The exception for a problem inside of a stream. */
export function exceptionFrame(problem: Problem): Frame {
  const name = camelCase(exceptionOf(problem))
  return { name, data: { message: problem.message }, isException: true }
}

function camelCase(name: string): string {
  return name.slice(0, 1).toLowerCase() + name.slice(1)
}

const exceptions: Record<number, string> = {
  400: 'ValidationException',
  403: 'AccessDeniedException',
  404: 'ResourceNotFoundException',
  408: 'ModelTimeoutException',
  424: 'ModelErrorException',
  429: 'ThrottlingException',
  500: 'InternalServerException',
  503: 'ServiceUnavailableException',
}

function reasonOf(fault: Fault): string {
  switch (fault.kind) {
    case 'missing':
      return 'A value is required'
    case 'unknown':
      return 'An extraneous key is not permitted'
    case 'type':
      return `Expected ${fault.expected}, found ${fault.actual},`
    case 'choice':
      return `Member must satisfy enum value set: [${fault.allowed.join(', ')}]`
    case 'limit':
      return `Member must have ${fault.of} ${fault.bound} ${fault.limit}`
    case 'pattern':
      return `Member must satisfy regular expression pattern: ${fault.pattern}`
    case 'rule':
      return fault.message
  }
}

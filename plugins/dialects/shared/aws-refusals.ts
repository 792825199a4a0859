import type { Refusal, RefusalSubject } from '../../../src/contract/refusal.ts'
import { stringAt } from '../../../src/lib/json/read.ts'

/** An exception of Amazon Bedrock. */
interface ExceptionFacts {
  /** The status that it stands for inside of a reply. */
  readonly status: number
  /** Absent: the status decides. */
  readonly about?: RefusalSubject | ((message: string) => RefusalSubject | undefined)
}

const ofModel = { status: 502, about: 'answer' } as const
const ofCredential = { status: 403, about: 'credential' } as const

/** Exceptions by their names in small letters (docs/wire/bedrock.md 3). Streams have them with a small first letter. */
const exceptions: ReadonlyMap<string, ExceptionFacts> = new Map<string, ExceptionFacts>([
  ['validationexception', { status: 400, about: subjectOfValidation }],
  ['accessdeniedexception', { status: 403, about: subjectOfDenial }],
  ['resourcenotfoundexception', { status: 404, about: 'model' }],
  ['conflictexception', { status: 400, about: 'model' }],
  ['servicequotaexceededexception', { status: 400, about: 'account-limit' }],
  ['modeltimeoutexception', { status: 408 }],
  ['modelerrorexception', ofModel],
  ['modelstreamerrorexception', ofModel],
  ['throttlingexception', { status: 429 }],
  ['modelnotreadyexception', { status: 429 }],
  ['internalserverexception', { status: 500 }],
  ['serviceunavailableexception', { status: 503 }],
  ['unrecognizedclientexception', ofCredential],
  ['invalidsignatureexception', ofCredential],
  ['incompletesignatureexception', ofCredential],
  ['missingauthenticationtokenexception', ofCredential],
  ['expiredtokenexception', ofCredential],
])

/** Only beginnings of messages count: errors of a request quote its texts. */
const aboutModel =
  /^(?:the provided model identifier is invalid|invocation of model id \S{1,200} with on-demand throughput)/i

function subjectOfValidation(message: string): RefusalSubject | undefined {
  return aboutModel.test(message) ? 'model' : undefined
}

function subjectOfDenial(message: string): RefusalSubject {
  return /^[^:]{0,40}\b(?:api key|bearer token|security token|signature)\b/i.test(message)
    ? 'credential'
    : 'model'
}

/** What an exception means, by its name; `undefined` for an unknown one. */
export function factsOfException(name: string): ExceptionFacts | undefined {
  return exceptions.get(name.toLowerCase())
}

/** The name in a header or member with the type of an error: `com.amazon#ValidationException:http://...`. */
export function exceptionIn(type: string): string {
  const [name = ''] = type.split(':', 1)
  return name.slice(name.lastIndexOf('#') + 1)
}

/** Returns the subject of a refusal of Amazon Bedrock, as far as its exception names it. */
export function subjectOfAwsRefusal({ error, headers }: Refusal): RefusalSubject | undefined {
  const type = headers['x-amzn-errortype'] ?? stringAt(error, '__type')
  if (type === undefined) return undefined
  const about = factsOfException(exceptionIn(type))?.about
  return typeof about === 'function' ? about(stringAt(error, 'message') ?? '') : about
}

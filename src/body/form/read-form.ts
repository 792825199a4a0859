import { type BodyPaceLimits, bodyPace, bodyTooLarge } from '../../kit/body-limits.ts'
import { GatewayError } from '../../contract/errors.ts'
import type { ClientRequest } from '../../contract/request.ts'
import { receiveBody } from '../spool/receive-body.ts'
import type { Spool } from '../spool/spool.ts'
import { type SpooledBody, maxMemoryBytes } from '../spool/spooled-body.ts'
import type { Ticker } from '../../lib/ticker.ts'
import type { MemberRules } from '../members.ts'
import { boundaryOf } from './boundary.ts'
import { type FormLimits, FormParser } from './form-parser.ts'
import { SpooledForm } from './spooled-form.ts'

/** The limits for reading a form. */
export interface FormReadingLimits extends FormLimits, BodyPaceLimits {}

/** A form and its spooled bytes. The receiver must dispose of `spooled`. */
interface ReadForm {
  readonly form: SpooledForm
  readonly spooled: SpooledBody
}

/**
 * Reads a form of an API key into the spool, at the pace of the disk. `rules` name the texts that may
 * occur once. Rejects with `GatewayError` 400, 408, 413, 415, 429, 499 or 503 and then leaves nothing in
 * the spool.
 */
export async function readForm(
  request: ClientRequest,
  limits: FormReadingLimits,
  ticker: Ticker,
  { spool, keyId }: { readonly spool: Spool; readonly keyId: string },
  rules?: Pick<MemberRules, 'scalars'>,
): Promise<ReadForm> {
  const contentType = request.headers['content-type'] ?? ''
  const parser = new FormParser(boundaryOf(contentType), limits, rules)
  assertNotEncoded(request.headers['content-encoding'])
  const length = Number(request.headers['content-length'] ?? 0)
  if (length > limits.formBytes) throw bodyTooLarge(limits.formBytes)
  if (length > maxMemoryBytes) spool.assertSpace(keyId, length)
  request.askForBody?.()
  const spooled = spool.begin(keyId)
  try {
    const feed = (chunk: Buffer) => parser.feed(chunk)
    await receiveBody(request, spooled, { ticker, least: bodyPace(limits), feed })
    const table = parser.finish()
    await spooled.finish()
    return { form: new SpooledForm(contentType, table, spooled), spooled }
  } catch (error) {
    spooled[Symbol.dispose]()
    throw error
  }
}

/** Refuses compressed forms: the ranges of the parts refer to the bytes as they were received. */
function assertNotEncoded(encoding: string | undefined): void {
  if (['', 'identity'].includes(encoding?.trim().toLowerCase() ?? '')) return
  throw new GatewayError(
    'unsupported_media_type',
    'Send forms without Content-Encoding; only JSON bodies may be compressed.',
  )
}

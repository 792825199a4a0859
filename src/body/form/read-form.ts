import { brokenOff, bodyTooLarge } from '../limits.ts'
import { GatewayError, toGatewayError } from '../../contract/errors.ts'
import type { ClientRequest } from '../../contract/request.ts'
import type { Spool } from '../spool/spool.ts'
import { type Spooled, memoryBytes } from '../spool/spooled.ts'
import type { Ticker } from '../../lib/ticker.ts'
import { boundaryOf } from './boundary.ts'
import { type FormLimits, FormParser } from './form-parser.ts'
import { SpooledForm } from './spooled-form.ts'

export interface FormReadingLimits extends FormLimits {
  /** Longest silence while the form is being sent. */
  readonly requestBodyMs: number
}

/** A form and the space that it takes, which whoever has it gives back. */
export interface KeptForm {
  readonly form: SpooledForm
  readonly spooled: Spooled
}

/**
 * Spools a form as it comes, and no faster than the disk takes it. Rejects with `GatewayError` 400,
 * 408, 413, 415 or 503; nothing is left in the spool then.
 */
export async function readForm(
  request: ClientRequest,
  limits: FormReadingLimits,
  ticker: Ticker,
  spool: Spool,
): Promise<KeptForm> {
  const contentType = request.headers['content-type'] ?? ''
  const parser = new FormParser(boundaryOf(contentType), limits)
  assertNotEncoded(request.headers['content-encoding'])
  assertRoom(Number(request.headers['content-length'] ?? 0), limits, spool)
  const spooled = spool.begin()
  try {
    await receiveAll(request, parser, spooled, { ticker, silenceMs: limits.requestBodyMs })
    const table = parser.finish()
    await spooled.finish()
    return { form: new SpooledForm(contentType, table, spooled), spooled }
  } catch (error) {
    spooled[Symbol.dispose]()
    throw error
  }
}

/** Forms hold what is compressed already; the ranges of their parts are over the bytes that came. */
function assertNotEncoded(encoding: string | undefined): void {
  if (encoding === undefined || /^\s*(identity)?\s*$/i.test(encoding)) return
  throw new GatewayError(
    'unsupported_media_type',
    'Send forms without Content-Encoding; only JSON bodies may be compressed.',
  )
}

/** What is told to be too much is refused before any of it has come. */
function assertRoom(length: number, { formBytes }: FormReadingLimits, spool: Spool): void {
  if (length > formBytes) throw bodyTooLarge(formBytes)
  if (length > memoryBytes) spool.assertRoom(length)
}

function receiveAll(
  { stream }: ClientRequest,
  parser: FormParser,
  spooled: Spooled,
  { ticker, silenceMs }: { ticker: Ticker; silenceMs: number },
): Promise<void> {
  if (stream.destroyed) return Promise.reject(brokenOff())
  return new Promise((resolve, reject) => {
    let settled = false
    let deadline = performance.now() + silenceMs
    const watched = {
      tick(now: number) {
        // A client that was asked to wait is not silent.
        if (stream.isPaused()) deadline = now + silenceMs
        else if (now > deadline) {
          settle(new GatewayError('request_timeout', 'The form did not arrive.'))
        }
      },
      interrupt: () => settle(new GatewayError('draining', 'The gateway is shutting down.')),
    }
    const take = (chunk: Buffer) => {
      parser.push(chunk)
      const written = spooled.write(chunk)
      if (!written) return
      stream.pause()
      written.then(goOn, settle)
    }
    const goOn = () => {
      deadline = performance.now() + silenceMs
      stream.resume()
    }
    const onData = (chunk: Buffer) => {
      if (settled) return
      deadline = performance.now() + silenceMs
      try {
        take(chunk)
      } catch (error) {
        settle(error)
      }
    }
    const settle = (error?: unknown) => {
      if (settled) return
      settled = true
      ticker.delete(watched)
      // What still comes of a refused form is let go by.
      stream.resume()
      if (error === undefined) resolve()
      else reject(toGatewayError(error))
    }
    const onClose = () => settle(brokenOff())
    stream
      .on('data', onData)
      .on('end', () => settle())
      .on('close', onClose)
      .on('error', onClose)
    ticker.add(watched)
  })
}

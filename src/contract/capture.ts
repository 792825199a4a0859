import type { Form, OpaqueBody } from './body.ts'
import type { Reply } from './outcome.ts'

/** Copies of the messages of one exchange, for debugging. Its methods never throw. */
export interface ExchangeCapture {
  /** Takes the body of the request, decompressed. */
  readBody(bytes: Buffer): void
  /** Takes the form of the request, whose content is in the spool. */
  readForm(form: Form): void
  /** Takes the beginning of a body of any type, which is in the spool. Never rejects. */
  readOpaque(body: OpaqueBody, encoding: string | undefined): Promise<void>
  /** Takes the head of the reply, and its body unless that is a stream. */
  replied(reply: Reply): void
  /** Takes bytes of a stream that go to the client. */
  wrote(bytes: Buffer): void
}

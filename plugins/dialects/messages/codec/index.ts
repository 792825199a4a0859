import type { GenerateCodec } from '../../../../src/contract/codec.ts'
import { exceedsMessagesContext } from './decode-reply/failure.ts'
import { MessageDecoder } from './decode-reply/decode-events.ts'
import { decodeRequest } from './decode-request/decode-request.ts'
import { decodeResult } from './decode-reply/decode-result.ts'
import { MessageEncoder } from './encode-reply/encode-events.ts'
import { encodeRequest } from './encode-request/encode-request.ts'
import { encodeResult } from './encode-reply/encode-result.ts'
import { messagesFeatures } from './features.ts'

/** Translates between the Messages API and the neutral model. */
export const messagesCodec: GenerateCodec = {
  exceedsContext: exceedsMessagesContext,
  ...messagesFeatures,
  decodeRequest,
  encodeRequest,
  decodeResult,
  encodeResult,
  decodeEvents: (request, emit) => new MessageDecoder(request, emit),
  encodeEvents: (context, write) => new MessageEncoder(context, write),
}

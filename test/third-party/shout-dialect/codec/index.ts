import type { GenerateCodec } from '../../../../src/dialect-kit/index.ts'
import { ShoutDecoder } from './decode-reply/decode-events.ts'
import { decodeResult } from './decode-reply/decode-result.ts'
import { decodeRequest } from './decode-request/decode-request.ts'
import { ShoutEncoder } from './encode-reply/encode-events.ts'
import { encodeResult } from './encode-reply/encode-result.ts'
import { encodeRequest } from './encode-request/encode-request.ts'
import { shoutFeatures } from './features.ts'

/** Shouted words in the neutral model, and back. */
export const shoutCodec: GenerateCodec = {
  forgetsSignatures: true,
  ...shoutFeatures,
  decodeRequest,
  encodeRequest,
  decodeResult,
  encodeResult,
  decodeEvents: (request, emit) => new ShoutDecoder(request, emit),
  encodeEvents: (context, sink) => new ShoutEncoder(context, sink),
}

import type { GenerateCodec } from '../../../../src/contract/codec.ts'
import { exceedsContext } from '../../../../src/kit/codec/failure.ts'
import { decodeRequest } from './decode-request/decode-request.ts'
import { decodeResult } from './decode-reply/decode-result.ts'
import { ChunkEncoder } from './encode-reply/encode-events.ts'
import { encodeRequest } from './encode-request/encode-request.ts'
import { encodeResult } from './encode-reply/encode-result.ts'
import { generateFeatures } from './features.ts'
import { ReplyReader } from './decode-reply/read-reply.ts'

/** Translates between the Gemini API and the neutral model. */
export const generateCodec: GenerateCodec = {
  exceedsContext,
  ...generateFeatures,
  decodeRequest,
  encodeRequest,
  decodeResult,
  encodeResult,
  decodeEvents: (request, emit) => new ReplyReader(request, emit, true),
  encodeEvents: (context, write) => new ChunkEncoder(context, write),
}

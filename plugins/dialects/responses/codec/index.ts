import type { GenerateCodec } from '../../../../src/contract/codec.ts'
import { exceedsContext } from '../../../../src/kit/codec/failure.ts'
import { decodeEvents } from './decode-reply/decode-events.ts'
import { decodeRequest } from './decode-request/decode-request.ts'
import { decodeResult } from './decode-reply/decode-result.ts'
import { encodeEvents } from './encode-reply/encode-events.ts'
import { encodeRequest } from './encode-request/encode-request.ts'
import { encodeResult } from './encode-reply/encode-result.ts'
import { responsesFeatures } from './features.ts'

export { inputItemsOf, replayItemsOf } from './transcript.ts'

/** The codec of the OpenAI Responses API. */
export const responsesCodec: GenerateCodec = {
  bindsSignatures: true,
  exceedsContext,
  ...responsesFeatures,
  decodeRequest,
  encodeRequest,
  decodeResult,
  encodeResult,
  decodeEvents,
  encodeEvents,
}

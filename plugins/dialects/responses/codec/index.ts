import type { GenerateCodec } from '../../../../src/codec.ts'
import { exceedsContext } from '../../../../src/codecs/context-length.ts'
import { decodeEvents } from './decode-events.ts'
import { decodeRequest } from './decode-request.ts'
import { decodeResult } from './decode-result.ts'
import { encodeEvents } from './encode-events.ts'
import { encodeRequest } from './encode-request.ts'
import { encodeResult } from './encode-result.ts'
import { lacks } from './lacks.ts'
import { noise, pieceOf } from './piece.ts'

export { inputItemsOf, replayItemsOf } from './transcript.ts'

/** Text generation in the words of OpenAI Responses. */
export const responsesCodec: GenerateCodec = {
  bindsSignatures: true,
  noise,
  pieceOf,
  exceedsContext,
  lacks,
  decodeRequest,
  encodeRequest,
  decodeResult,
  encodeResult,
  decodeEvents,
  encodeEvents,
}

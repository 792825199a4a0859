import type { GenerateCodec } from '../../../../src/codec.ts'
import { exceedsContext } from '../../../../src/codecs/context-length.ts'
import { paddings } from '../ordinary-chunks.ts'
import { ChatEventDecoder } from './decode-events.ts'
import { decodeRequest } from './decode-request.ts'
import { decodeResult } from './decode-result.ts'
import { ChatEventEncoder } from './encode-events.ts'
import { encodeRequest } from './encode-request.ts'
import { encodeResult } from './encode-result.ts'
import { chatLacks } from './lacks.ts'
import { pieceOf } from './piece.ts'

/** Chat completions in the words of the neutral model, and back. */
export const chatCompletionsCodec: GenerateCodec = {
  noise: paddings,
  pieceOf,
  forgetsSignatures: true,
  exceedsContext,
  lacks: chatLacks,
  decodeRequest,
  encodeRequest,
  decodeResult,
  encodeResult,
  decodeEvents: (request, emit) => new ChatEventDecoder(request, emit),
  encodeEvents: (context, write) => new ChatEventEncoder(context, write),
}

import type { GenerateCodec } from '../../../../src/codec.ts'
import { exceedsContext } from './context-length.ts'
import { MessageDecoder } from './decode-events.ts'
import { decodeRequest } from './decode-request.ts'
import { decodeResult } from './decode-result.ts'
import { MessageEncoder } from './encode-events.ts'
import { encodeRequest } from './encode-request.ts'
import { encodeResult } from './encode-result.ts'
import { messagesLacks } from './lacks.ts'
import { pieceOf } from './piece.ts'

/** Messages in the words of the neutral model, and the other way round. */
export const messagesCodec: GenerateCodec = {
  pieceOf,
  exceedsContext,
  lacks: messagesLacks,
  decodeRequest,
  encodeRequest,
  decodeResult,
  encodeResult,
  decodeEvents: (request, emit) => new MessageDecoder(request, emit),
  encodeEvents: (context, write) => new MessageEncoder(context, write),
}

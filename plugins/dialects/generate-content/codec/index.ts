import type { GenerateCodec } from '../../../../src/codec.ts'
import { exceedsContext } from '../../../../src/codecs/context-length.ts'
import { decodeRequest } from './decode-request.ts'
import { decodeResult } from './decode-result.ts'
import { ChunkEncoder } from './encode-events.ts'
import { encodeRequest } from './encode-request.ts'
import { encodeResult } from './encode-result.ts'
import { lacks } from './lacks.ts'
import { ReplyReader } from './read-reply.ts'
import { pieceOf } from './piece.ts'
import { totals } from './usage.ts'

/** `generateContent` and `streamGenerateContent`, to and from the neutral model. */
export const generateContentCodec: GenerateCodec = {
  pieceOf,
  totals,
  exceedsContext,
  lacks,
  decodeRequest,
  encodeRequest,
  decodeResult,
  encodeResult,
  decodeEvents: (request, emit) => new ReplyReader(request, emit, true),
  encodeEvents: (context, write) => new ChunkEncoder(context, write),
}

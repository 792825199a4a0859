import * as kit from 'dragoman/dialect'

import { decodeRequest } from './decode-request.ts'
import { encodeRequest } from './encode-request.ts'
import { errorBody, readLine, writeLine } from './replies.ts'

export const ollamaCodec: kit.GenerateCodec = {
  supports: [
    'empty_message',
    'image_input',
    'json_object',
    'json_schema',
    'seed',
    'stop',
    'system_midway',
    'temperature_above_1',
    'tool_result_stray',
    'tool_subset',
    'top_k',
  ],
  forgetsSignatures: true,
  decodeRequest,
  encodeRequest,
  ...kit.readPieces(readLine),
  ...kit.writePieces({ prefix: 'chat_', write: writeLine, fail: errorBody }),
}

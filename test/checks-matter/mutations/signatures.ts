import { checksOf } from '../mutation.ts'

const tokens = ['test/walks/continuity/tokens.test.ts']
const otherAccount = ['test/walks/continuity/other-account.test.ts']
const remembered = ['test/walks/continuity/remembered.test.ts']
const memory = ['test/walks/continuity/memory.test.ts']
const madeUpIds = ['test/walks/continuity/made-up-ids.test.ts']

const signers = 'src/translate/signers.ts'
const kept = 'src/translate/signatures.ts'

/** Signatures go back to whom they are from, and to nobody else. */
export const signatureChecks = [
  ...checksOf('translation', 'src/translate/translated-request.ts', otherAccount, {
    'what one account sealed is not told another': [
      'dropForeignSignatures(account.id, translation.account, translation.request)',
      'translation.request',
    ],
  }),
  ...checksOf('translation', signers, otherAccount, {
    'what an account sealed says whose it is': ['if (!codec.bindsSignatures) return', 'return'],
  }),
  ...checksOf('translation', signers, tokens, {
    'a signature without a maker goes to nobody': [
      'signature.account === markOf(accountId, signature) ?',
      '!signature.account || signature.account === markOf(accountId, signature) ?',
    ],
    'what is sealed in a stream says whose it is': ['emit(eventWith(event, mark))', 'emit(event)'],
    'a signature names no account to the client': [
      "hash('sha256', JSON.stringify([accountId, value]), 'base64url').slice(0, 16)",
      'accountId && value && accountId',
    ],
    'a mark is good for one signature': ['[accountId, value]', '[accountId]'],
  }),

  ...checksOf(
    'translation',
    'plugins/dialects/messages/codec/encode-answer.ts',
    testsOf('messages'),
    {
      'messages: no thought that another dialect signed': [
        'if (signature?.dialect !== messagesId) return []',
        'if (!signature) return []',
      ],
    },
  ),
  ...checksOf(
    'translation',
    'plugins/dialects/responses/codec/encode-request/encode-items.ts',
    ['test/codecs/responses/reasoning-continuity.test.ts'],
    {
      'responses: no thought that another dialect signed': [
        'if (signature?.dialect !== responsesId) return []',
        'if (!signature) return []',
      ],
    },
  ),
  ...checksOf('translation', 'plugins/dialects/generate/codec/signatures.ts', testsOf('generate'), {
    'generate: no signature of another dialect': [
      'signature?.dialect !== generateId ||',
      '!signature ||',
    ],
  }),
  ...checksOf(
    'translation',
    'plugins/dialects/chat/codec/encode-request/encode-messages.ts',
    testsOf('chat'),
    {
      'chat: no call that another dialect signed': [
        'const signed = signature?.dialect === chatId &&',
        'const signed = signature &&',
      ],
      'chat: no thought that another dialect signed': [
        'part.signature?.dialect === chatId && ',
        '',
      ],
    },
  ),
  ...checksOf('translation', 'src/generate/signatures.ts', testsOf('chat'), {
    'a client gets a signature of another dialect as a token': [
      'return signature.dialect === dialect ? signature.value : wrapSignature(signature)',
      'return signature.value',
    ],
  }),
  ...checksOf(
    'translation',
    'src/generate/signatures.ts',
    ['test/codecs/responses/reasoning-continuity.test.ts'],
    {
      'a token that cannot be read goes nowhere': [
        "if (typeof d !== 'string' || typeof s !== 'string') return undefined",
        "if (typeof d !== 'string' || typeof s !== 'string') return { dialect, value: text }",
      ],
    },
  ),

  ...checksOf(
    'translation',
    'plugins/dialects/messages/edits.ts',
    ['test/requests/edits/messages-thoughts.test.ts', ...native()],
    {
      'messages: no foreign token goes to an account of its own': [
        'return signature?.dialect === messagesId ?',
        'return signature ?',
      ],
    },
  ),
  ...checksOf(
    'translation',
    'plugins/dialects/responses/edits.ts',
    ['test/requests/edits/responses-reasoning.test.ts', ...native()],
    {
      'responses: no foreign token goes to an account of its own': [
        "if (signature?.dialect !== responsesId) return 'remove'",
        "if (!signature) return 'remove'",
      ],
    },
  ),
  ...checksOf(
    'translation',
    'plugins/dialects/chat/edits.ts',
    ['test/requests/edits/chat-call-signatures.test.ts', ...native()],
    {
      'chat: no foreign token goes to an account of its own': [
        'return signature?.dialect === chatId\n',
        'return signature\n',
      ],
    },
  ),
  ...checksOf(
    'translation',
    'plugins/dialects/generate/edits.ts',
    ['test/requests/edits/generate-signatures.test.ts', ...native()],
    {
      'generate: no foreign token goes to an account of its own': [
        'if (own?.dialect === generateId) return',
        'if (own) return',
      ],
      'generate: an unsigned call is let pass': ['if (!isSigned) plan[at]', 'if (false) plan[at]'],
    },
  ),

  ...checksOf('translation', kept, remembered, {
    'what one key was signed is not another’s': [
      'return recordIdOf([keyId], nameOfCall(call))',
      'return nameOfCall(call)',
    ],
    'a store that cannot be read costs no answer': [
      "log.warn('reading signatures failed; reasoning is not continued', { error: String(error) })\n        return request",
      'throw error',
    ],
    'a store that cannot be written costs no answer': [
      "log.warn('writing signatures failed; reasoning is not continued', { error: String(error) })",
      'throw error',
    ],
  }),
  ...checksOf('translation', 'src/translate/translation.ts', remembered, {
    'signatures are kept for clients that have no field for them': [
      'isForeign && client.codec.forgetsSignatures ?',
      'false ?',
    ],
  }),
  ...checksOf('translation', kept, memory, {
    'thoughts that a client brings back are not told twice': [
      'hasSigned ? turn.content : withReasoning(turn.content, known)',
      'withReasoning(turn.content, known)',
    ],
    'a signature that a client brings back stays': [
      "part.type === 'tool_call' && !part.signature",
      "part.type === 'tool_call'",
    ],
    'signatures are not kept for ever': ['        ttlMs: lifeMs,\n', ''],
  }),
  ...checksOf('translation', 'src/translate/signatures.ts', madeUpIds, {
    'calls with the same id are told apart': ['JSON.stringify([name, normalize(input)])', "'call'"],
  }),
]

function testsOf(dialect: string): string[] {
  return [`test/codecs/${dialect}/signatures.test.ts`]
}

function native(): string[] {
  return ['test/walks/continuity/native.test.ts']
}

import { checksOf } from '../mutation.ts'

/** A chain continues at the account, model and key that began it. */
export const chainingChecks = [
  ...checksOf('chaining', 'plugins/bindings/binding-name.ts', ['test/walks/kept/scope.test.ts'], {
    'a response is continued by its own key alone': [
      '{ kind, keyId, id }',
      "{ kind, keyId: '', id }",
    ],
  }),
  ...checksOf('chaining', 'src/stores/bindings.ts', ['test/walks/kept/scope.test.ts'], {
    'keys are apart in the store': ['recordIdOf([kind, keyId], id)', 'recordIdOf([kind], id)'],
  }),
  ...checksOf('chaining', 'plugins/bindings/lookup.ts', ['test/walks/kept/scope.test.ts'], {
    'a response is continued by its own model alone': [
      '!(isOfModel && isOpen(binding))',
      '!isOpen(binding)',
    ],
    'a response is continued for an hour': ['return chainUntil > now()', 'return true'],
  }),
  ...checksOf('chaining', 'plugins/bindings/lookup.ts', ['test/walks/kept/stored.test.ts'], {
    'a response is kept for 30 days': [
      'binding && binding.expiresAt > now() ? binding : undefined\n  }\n\n  function isOpen',
      'binding\n  }\n\n  function isOpen',
    ],
  }),
  ...checksOf('chaining', 'plugins/bindings/lookup.ts', ['test/walks/kept/store-away.test.ts'], {
    'a store that is away is no answer': ['throw errors.lookupFailed(cause)', 'return undefined'],
  }),
  ...checksOf(
    'chaining',
    'plugins/bindings/lookup.ts',
    ['test/walks/kept/conversation-scope.test.ts'],
    {
      'a call goes on from one thing': ['if (pins.length > 1 && ', 'if (false && '],
    },
  ),
  ...checksOf(
    'chaining',
    'plugins/bindings/lookup.ts',
    ['test/walks/kept/conversation-models.test.ts'],
    {
      'a conversation goes on with models of its account': [
        'if (!isServed) throw',
        'if (false) throw',
      ],
    },
  ),
  ...checksOf(
    'chaining',
    'plugins/dialects/responses/transcripts/transcript-store.ts',
    ['test/walks/kept/item-references.test.ts'],
    {
      'a named item is told once': ['known.add(item.id)', ''],
    },
  ),
  ...checksOf(
    'chaining',
    'plugins/bindings/record-produced.ts',
    ['test/walks/kept/lifetimes.test.ts'],
    {
      'who looks at a response has not made it': [
        'produced?.binds && !isAbout(exchange, produced)',
        'produced?.binds',
      ],
    },
  ),
  ...checksOf(
    'chaining',
    'plugins/bindings/pending-writes.ts',
    ['test/plugins/bindings-under-way.test.ts'],
    {
      'what is being written is found': [
        'const writes = [...(writesOf(name)?.keys() ?? [])]',
        'const writes: Write[] = []',
      ],
      'a write that failed is known until it waits': ['setImmediate(end)', 'end()'],
    },
  ),
  ...checksOf(
    'chaining',
    'plugins/bindings/resource-store.ts',
    ['test/plugins/bindings-under-way.test.ts'],
    {
      'what is being written is changed afterwards': [
        'await stored.settled(name)\n    const waiting',
        'const waiting',
      ],
      'what is being written is deleted afterwards': [
        'await stored.settled(name)\n    const undo',
        'const undo',
      ],
    },
  ),
  ...checksOf(
    'chaining',
    'plugins/dialects/responses/transcripts/transcript-store.ts',
    ['test/walks/kept/scope.test.ts'],
    {
      'what is not to be stored is not kept': [
        'if (conversation.body.store === false) return',
        'if (false) return',
      ],
    },
  ),
  ...checksOf(
    'chaining',
    'plugins/dialects/responses/transcripts/transcript-store.ts',
    ['test/walks/kept/endings.test.ts'],
    {
      'what did not come to its end goes no further': ["status === 'completed'", 'Boolean(status)'],
    },
  ),
  ...checksOf(
    'chaining',
    'plugins/dialects/responses/transcripts/transcript-store.ts',
    ['test/walks/kept/lying-store.test.ts'],
    {
      'an answer is in a conversation once': [
        '...more.filter(({ id }) => !known.has(id))',
        '...more',
      ],
    },
  ),
  ...checksOf('chaining', 'src/translate/persist-reply.ts', ['test/walks/kept/size.test.ts'], {
    'what is too large is not kept': [
      'if (storedSizeOf(transcript) > maxStoredBytes) {',
      'if (false) {',
    ],
  }),
  ...checksOf(
    'chaining',
    'src/translate/persist-reply.ts',
    ['test/walks/kept/edited-natively.test.ts'],
    {
      'what the account alone knows goes no further': [' && !conversation.isPartial', ''],
    },
  ),
  ...checksOf(
    'chaining',
    'src/translate/persist-reply.ts',
    ['test/walks/kept/conversations.test.ts'],
    {
      'a conversation has only what came to its end': [' || !transcripts?.isComplete(reply)', ''],
    },
  ),
  ...checksOf('chaining', 'src/translate/persist-reply.ts', ['test/walks/kept/lifetimes.test.ts'], {
    'a response does not grow by what goes on from it': [' || !isIn', ''],
  }),
  ...checksOf('chaining', 'src/translate/translation.ts', ['test/walks/kept/chain.test.ts'], {
    'what was said before is told again': ['if (transcript && transcripts) {', 'if (false) {'],
  }),
  ...checksOf('chaining', 'src/attempt/fallbacks.ts', ['test/routing/fallbacks/rules.test.ts'], {
    'a call that continues something never falls back': [
      'call.refersTo.length > 0 || call.pin || routing?.pinned || routing?.stored',
      'false',
    ],
  }),
  ...checksOf('chaining', 'src/attempt/attempt.ts', ['test/walks/kept/lifetimes.test.ts'], {
    'an account that has something may be asked for it again': [
      'if (ranking.pinned) throw failure.error',
      '',
    ],
  }),
  ...checksOf(
    'chaining',
    'src/route/route.ts',
    ['test/walks/chaining/same-account.test.ts', 'test/walks/chaining/unroutable.test.ts'],
    {
      'what an account has is asked of no other one': [
        'else if (pin && account !== pin.pinnedTo) {',
        'else if (false) {',
      ],
      'what an account has is asked of it at once': [
        'this.#pin ? owner(this.#pool, this.#pin) : chooseFirst(this.#pool)',
        'chooseFirst(this.#pool)',
      ],
    },
  ),
  ...checksOf('chaining', 'src/route/route.ts', ['test/walks/kept/native-later.test.ts'], {
    'what an account keeps it is asked for in its own words': [
      'return native || stored !== undefined || isFree',
      'return true',
    ],
  }),
  ...checksOf(
    'chaining',
    'src/translate/plan.ts',
    ['test/walks/continuity/other-account.test.ts'],
    {
      'what one account sealed is not told another': [
        'dropForeignSignatures(candidate, translation.account, translation.request)',
        'translation.request',
      ],
    },
  ),
  ...checksOf(
    'chaining',
    'src/translate/signers.ts',
    ['test/walks/continuity/other-account.test.ts'],
    {
      'what an account sealed says whose it is': [
        'if (!codec.bindsSignatures && !codec.bindsToServer) return codec',
        'return codec',
      ],
    },
  ),
  ...checksOf('chaining', 'src/translate/signers.ts', ['test/walks/continuity/tokens.test.ts'], {
    'a signature without a maker goes to nobody': [
      'signer === undefined || signature.account === markOf(signer, signature)',
      'signer === undefined || !signature.account || signature.account === markOf(signer, signature)',
    ],
    'what is sealed in a stream says whose it is': ['emit(eventWith(event, mark))', 'emit(event)'],
    'a signature names no account to the client': [
      "hash('sha256', JSON.stringify([signer, value]), 'base64url').slice(0, 16)",
      'signer && value && signer',
    ],
    'a mark is good for one signature': ['[signer, value]', '[signer]'],
  }),
  ...checksOf(
    'chaining',
    'plugins/dialects/shared/blocks/encode-turns.ts',
    ['test/codecs/messages/signatures.test.ts'],
    {
      'messages and converse: no thought that another dialect signed': [
        'if (signature?.dialect !== writer.signedBy) return []',
        'if (!signature) return []',
      ],
    },
  ),
  ...checksOf(
    'chaining',
    'plugins/dialects/responses/codec/encode-request/encode-items.ts',
    ['test/codecs/responses/reasoning-continuity.test.ts'],
    {
      'responses: no thought that another dialect signed': [
        'if (signature?.dialect !== responsesId) return []',
        'if (!signature) return []',
      ],
    },
  ),
  ...checksOf(
    'chaining',
    'plugins/dialects/generate/codec/signatures.ts',
    ['test/codecs/generate/signatures.test.ts'],
    {
      'generate: no signature of another dialect': [
        'signature?.dialect !== generateId ||',
        '!signature ||',
      ],
    },
  ),
  ...checksOf(
    'chaining',
    'plugins/dialects/chat/codec/encode-request/encode-messages.ts',
    ['test/codecs/chat/signatures.test.ts'],
    {
      'chat: no call that another dialect signed': [
        'signature?.dialect === chatId && !hasDetails(signature)',
        'signature && !hasDetails(signature)',
      ],
      'chat: no thought that another dialect signed': [
        'part.signature?.dialect === chatId && ',
        '',
      ],
    },
  ),
  ...checksOf('chaining', 'src/generate/signatures.ts', ['test/codecs/chat/signatures.test.ts'], {
    'a client gets a signature of another dialect as a token': [
      'return signature.dialect === dialect ? signature.value : wrapSignature(signature)',
      'return signature.value',
    ],
  }),
]

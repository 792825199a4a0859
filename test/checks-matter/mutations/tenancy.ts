import { checksOf } from '../mutation.ts'

/** One key, one operator and one account have nothing of another. */
export const tenancyChecks = [
  ...checksOf('tenancy', 'src/stores/record-id.ts', ['test/tenancy/key-ids.test.ts'], {
    'a key id with a space imitates no other': [" && !text.includes(' ')", ''],
    'a text that looks like a hash is hashed': [' && !text.startsWith(mark)', ''],
    'a long id has a record of its own': ['text.length <= longest', 'true'],
  }),
  ...checksOf('tenancy', 'src/admin/teams.ts', ['test/admin/teams.test.ts'], {
    'a team with keys is not deleted': ['  if (keys.length > 0) {', '  if (keys.length < 0) {'],
    'a key gets no team that does not exist': ['if (running.teams.get(team))', 'if (team)'],
  }),
  ...checksOf('tenancy', 'plugins/passthrough.ts', ['test/walks/passthrough/requests.test.ts'], {
    'a key that models bind passes nothing': [
      "if (keys ? keys.includes(keyId) : caller.mayUse('*')) return",
      'if (!keys || keys.includes(keyId)) return',
    ],
    'a path that names keys is for them alone': [
      "if (keys ? keys.includes(keyId) : caller.mayUse('*')) return",
      "if (keys?.includes(keyId) || caller.mayUse('*')) return",
    ],
  }),
  ...checksOf('tenancy', 'src/exchange/routes.ts', ['test/walks/passthrough/requests.test.ts'], {
    'another spelling of a path of a dialect passes nowhere': [
      'const plain = plainSpelling(path)',
      'const plain = path',
    ],
    'what a dialect does not offer passes nowhere': [
      'if (owners.some(({ pattern }) => isOfOwner(withAnyId(pattern.toLowerCase())))) return nowhere',
      '',
    ],
  }),
  ...checksOf('tenancy', 'src/lib/json/scan.ts', ['test/tenancy/file-ids.test.ts'], {
    'escapes hide no id of a file': [
      'return hasString(text, start) || hasEscapedString(text, start)',
      'return hasString(text, start)',
    ],
  }),
  ...checksOf('tenancy', 'src/accounts/caller-of-key.ts', ['test/auth/other-models.test.ts'], {
    'a key of a team has two scopes': [
      'mayUse: mayBoth, models, teamModels: team.models',
      'mayUse: mayBoth, models: undefined',
    ],
  }),
  ...checksOf('tenancy', 'src/jobs/owned-records.ts', ['test/tenancy/key-ids.test.ts'], {
    'a list ends with the last job of its key': [
      'const prefix = recordPrefixOf(owner)',
      "const prefix = owner.at(-1) ?? ''",
    ],
  }),
  ...checksOf(
    'tenancy',
    'plugins/dialects/shared/batch-requests.ts',
    ['test/walks/files/batches.test.ts'],
    {
      'the model of a line is one that the key may use': [
        'const { name } = resolveModel(exchange, call)',
        'const name = call.model',
      ],
      'each line is checked for the models beside its own': [
        'if (known && otherModels.length === 0) return known.model',
        'if (known) return known.model',
      ],
      'a line names no stored data': ['    refuseStored(call)\n', ''],
      'a line reaches an account by its own name of the model': [
        'name === model.name ? upstreamModel : account.models.upstreamName(name)',
        'name',
      ],
    },
  ),
  ...checksOf('tenancy', 'src/file-references/bind-files.ts', ['test/walks/files/files.test.ts'], {
    'a file of another key is unknown': [
      '      if (!file) throw notFound(files, id, param)\n',
      '      if (!file) continue\n',
    ],
    'a file leads to its account': ['pin: pinOf(accountId, noun)', ''],
  }),
  ...checksOf(
    'tenancy',
    'plugins/dialects/responses/outcome.ts',
    ['test/walks/chaining/without-status.test.ts'],
    {
      'a response without a status is complete': [
        "?? event ?? 'completed'",
        "?? event ?? 'queued'",
      ],
      'a failed response is no end of a chain': ["  if (event === 'failed') return event\n", ''],
      'the name of the last event counts': ["(event ?? 'incomplete')", "'incomplete'"],
    },
  ),
  ...checksOf(
    'tenancy',
    'plugins/bindings/lookup.ts',
    ['test/walks/chaining/moving-conversations.test.ts'],
    {
      'a conversation that has been used stays': [
        'if (binding.seed && isUse(exchange)) await relocations.stay(name, binding)',
        '',
      ],
      'a conversation moves to the model': [
        '!isServed && binding.seed && candidates.some(({ native }) => native)',
        'false',
      ],
    },
  ),
  ...checksOf(
    'tenancy',
    'plugins/bindings/relocation.ts',
    ['test/walks/chaining/moving-conversations.test.ts'],
    {
      'a conversation moves once': [
        'known.seed ? { ...withoutSeed(known), account, upstreamId }',
        'true ? { ...known, account, upstreamId }',
      ],
    },
  ),
  ...checksOf(
    'tenancy',
    'plugins/dialects/responses/recreate.ts',
    ['test/walks/chaining/moving-conversations.test.ts'],
    {
      'items of one account do not move': ['call.names || ', ''],
    },
  ),
  ...checksOf(
    'tenancy',
    'src/upstream/rename.ts',
    ['test/walks/chaining/moving-conversations.test.ts'],
    {
      'the reply has the id of the client': [
        'return changeData(framing, frames, (data) => withClientId(data, renamed))',
        'return frames',
      ],
      'a path has the id of the account': ['renamed : one', 'one : one'],
    },
  ),
  ...checksOf('tenancy', 'src/body/members.ts', ['test/requests/declared-keys.test.ts'], {
    'a key occurs once': [
      'if (declared && this.#seen.add(declared.index)) throw',
      'if (false) throw',
    ],
    'a key inside of an object occurs once': [
      'if (seen.add(declared.index)) throw duplicate(`${path}.${declared.name}`)',
      '',
    ],
    'a key inside of an object has one spelling': [
      '        otherName(this.#bytes, key, rules, path)\n',
      '',
    ],
    'objects inside of lists are read': [
      'if (bytes[start] !== openBracket) return endOfValue(this.#bytes, start, depth)',
      'return endOfValue(this.#bytes, start, depth)',
    ],
  }),
  ...checksOf('tenancy', 'src/body/members.ts', ['test/requests/declared-keys.test.ts'], {
    'letters that ignore case are compared': [
      'name.toUpperCase().toLowerCase()',
      'name.toLowerCase()',
    ],
    'both spellings of Gemini are one': [
      'new Set([declared, snakeOf(declared)])',
      'new Set([declared])',
    ],
  }),
  ...checksOf('tenancy', 'src/body/read-request.ts', ['test/requests/declared-keys.test.ts'], {
    'forms have the rules of their operation': ['    rulesOf(exchange.operation),\n', ''],
  }),
  ...checksOf('tenancy', 'plugins/bindings/named-data.ts', ['test/tenancy/item-owners.test.ts'], {
    'an item of another key is unknown': ['if (unknown) throw notFound(unknown)', ''],
    'reasoning of another key is unknown': [
      'if (own || candidates.every(({ native }) => native)) throw notFound(spare)',
      'return own',
    ],
    'an item and a chain of different accounts': ['(pin && pin.pinnedTo !== owner)', 'false'],
    'an item pins its call': ['return { pinnedTo: owner,', 'return { pinnedTo: undefined,'],
  }),
  ...checksOf(
    'tenancy',
    'plugins/dialects/responses/named-data.ts',
    ['test/tenancy/item-owners.test.ts'],
    {
      'an item without content is a reference': [
        'if (!bareMembers.has(name) && item[name] !== null) return false',
        'return false',
      ],
      'an image without bytes is a reference': [
        "if (type === 'image_generation_call') return !isText(item.result)",
        '',
      ],
      'a blank content is none': ["value !== ''", 'true'],
      'an approval names its request': [
        'if (!inline.has(approved)) names.push',
        'if (false) names.push',
      ],
      'allowed tools name containers': [
        "noteTools(objectAt(json, 'tool_choice')?.tools, 'tool_choice.tools', noted)",
        '',
      ],
      'tools name containers': ["noteTools(json.tools, 'tools', noted)", ''],
      'an approval is of a request that says what it is about': [
        '.filter(isApprovalRequest)',
        '.filter((one) => !isItemReference(one))',
      ],
    },
  ),
  ...checksOf(
    'tenancy',
    'plugins/dialects/responses/observer.ts',
    ['test/tenancy/item-owners.test.ts'],
    {
      'items of a stream are its client’s': [
        "if (type === 'response.output_item.done') this.#noteItem(json?.item)",
        '',
      ],
    },
  ),
  ...checksOf(
    'tenancy',
    'plugins/bindings/record-produced.ts',
    ['test/tenancy/item-owners.test.ts'],
    {
      'an account cannot fill the store with items': [
        'disclosed.filter(isDataId).slice(0, mostData)',
        'disclosed.filter(isDataId)',
      ],
    },
  ),
  ...checksOf(
    'tenancy',
    'plugins/dialects/chat/observer.ts',
    ['test/tenancy/containers-and-audio.test.ts'],
    {
      'audio in the middle of a stream is seen': [' && !this.#mayHaveAudio', ''],
    },
  ),
  ...checksOf(
    'tenancy',
    'plugins/dialects/messages/observer.ts',
    ['test/tenancy/containers-and-audio.test.ts'],
    {
      'the container of a stream is its client’s': [
        '        this.#disclosed.add(...containerIn(json?.delta))\n',
        '',
      ],
    },
  ),
  ...checksOf('tenancy', 'plugins/dialects/messages/observer.ts', ['test/tenancy/files.test.ts'], {
    'the files of a stream are its client’s': [
      '        this.#disclosed.add(...filesIn([json?.content_block]))\n',
      '',
    ],
  }),
  ...checksOf('tenancy', 'plugins/dialects/messages/outcome.ts', ['test/tenancy/files.test.ts'], {
    'the files of a message are its client’s': ["stringAt(owner, 'file_id') ?? []", '[]'],
  }),
  ...checksOf(
    'tenancy',
    'plugins/dialects/messages/named-data.ts',
    ['test/tenancy/files.test.ts'],
    {
      'messages name files': ['  noteFilesOfMessages(messages, names)\n', ''],
      'a source names a file': ['if (isObject(source)) noteFilesOf', 'if (false) noteFilesOf'],
      'a result of earlier code pins no call': [
        'pathOf, names, false)\n  for',
        'pathOf, names, true)\n  for',
      ],
    },
  ),
  ...checksOf('tenancy', 'plugins/bindings/named-data.ts', ['test/tenancy/files.test.ts'], {
    'a file with an owner is unknown to others': [
      'if (mark) owned.foreign',
      'if (false) owned.foreign',
    ],
    'a file that is not looked up is unknown': [
      'key !== undefined && bindings.has(key)) sortFound',
      'key !== undefined) sortFound',
    ],
    'a file without an owner is for all keys': ['!binding && mayBeShared(name)', 'false'],
    'a file is unknown at its account alone': [
      'native ? foreign.get(account.id) : undefined',
      'native ? first : undefined',
    ],
  }),
  ...checksOf('tenancy', 'plugins/bindings/record-produced.ts', ['test/tenancy/files.test.ts'], {
    'the first account that has made a file keeps its mark': [
      'const unknown = await unknownOf([...marks, ...owned])',
      'const unknown = [...marks, ...owned]',
    ],
    'a file that was there before has no owner': [' || !named.has(one.id)', ' || true'],
  }),
  ...checksOf('tenancy', 'src/upstream/settle.ts', ['test/tenancy/files.test.ts'], {
    'the files of a broken stream have an owner': [
      'discloses = attempt.discloses }',
      'discloses }',
    ],
  }),
  ...checksOf(
    'tenancy',
    'plugins/dialects/messages/named-data.ts',
    ['test/tenancy/threads.test.ts'],
    {
      'a thread names its message': ["  noteMessage('thread', thread, true, names)\n", ''],
      'a thread has one account': ["'thread', thread, true", "'thread', thread, false"],
      'diagnostics name a message': [
        "  noteMessage('diagnostics', diagnostics, false, names)\n",
        '',
      ],
      'a message of a thread is its client’s': ['thread || diagnostics ? {', 'diagnostics ? {'],
    },
  ),
  ...checksOf('tenancy', 'plugins/bindings/index.ts', ['test/tenancy/threads.test.ts'], {
    'a reply that is named later has a record': [
      'produced && kind ? [{ kind, id: produced.id }',
      'produced && kind ? [...[]',
    ],
  }),
  ...checksOf('tenancy', 'src/stores/keys.ts', ['test/tenancy/unreadable-records.test.ts'], {
    'a damaged key is disabled': ['isKey(value, id) ? value', 'true ? value!'],
    'a damaged key cannot be rotated': [
      "if (!isKey(known, id)) throw new KeyConflict('damaged', id)",
      '',
    ],
  }),
  ...checksOf(
    'tenancy',
    'src/stores/operator-states.ts',
    ['test/tenancy/unreadable-records.test.ts'],
    {
      'a damaged state stays as it was': ['(isKnown && !before.has(record.id))', 'false'],
    },
  ),
  ...checksOf('tenancy', 'src/stores/key-ring.ts', ['test/admin/keys.test.ts'], {
    'a key that an operator disabled is rejected': [
      'disabled.has(key.id) ? disabledTwin(key) : key',
      'key',
    ],
  }),
  ...checksOf('tenancy', 'src/stores/read-many.ts', ['test/tenancy/unreadable-records.test.ts'], {
    'one damaged record takes away no other': [
      '  } catch {\n    return undefined\n  }',
      '  } catch (error) {\n    throw error\n  }',
    ],
  }),
  ...checksOf('tenancy', 'src/stores/redis/store.ts', ['test/tenancy/unreadable-records.test.ts'], {
    'a list in the place of a record damages nothing else': [
      'isWrongType(error) ? notText : fail(error)',
      'fail(error)',
    ],
  }),
  ...checksOf('tenancy', 'src/stores/bindings.ts', ['test/tenancy/unreadable-records.test.ts'], {
    'a damaged binding is no answer': [
      'if (binding === undefined || isBinding(binding)) return binding',
      'return binding',
    ],
  }),
  ...checksOf('tenancy', 'src/kit/credential.ts', ['test/auth/empty-credentials.test.ts'], {
    'an empty credential is none': [
      'if (credential) return',
      'if (credential !== undefined) return',
    ],
  }),
  ...checksOf('tenancy', 'src/exchange/identify.ts', ['test/auth/refusals.test.ts'], {
    'nobody comes in unknown': [
      'if (!found || isRefused(found)) throw refusal(exchange, credential, guesses, found)',
      "if (!found || isRefused(found)) return enterAuthenticated(exchange, { keyId: '', mayUse: () => true }, credential)",
    ],
  }),
  ...checksOf('tenancy', 'src/accounts/caller-of-key.ts', ['test/auth/refusals.test.ts'], {
    'a disabled key': ['key.disabled || ', ''],
    'an expired key': [' || isExpired(key)', ''],
    'a key expires at its very moment': ['Date.now() >= expiresAt', 'Date.now() > expiresAt'],
  }),
  ...checksOf('tenancy', 'src/stores/keys.ts', ['test/stores/keys.test.ts'], {
    'a rotated key has a new secret': ['{ hash: hashSecret(secret), rotatedAt', '{ rotatedAt'],
    'a revoked key is disabled': ['...known, disabled: true', '...known'],
    'a revoked key cannot be rotated': [
      "if (known.disabled) throw new KeyConflict('revoked', id)",
      '',
    ],
    'an id is given once': [
      'if (!(await keyRecords(store).add(key.id, key)))',
      'if (await keyRecords(store).set(key.id, key))',
    ],
  }),
  ...checksOf(
    'tenancy',
    'src/stores/key-secret.ts',
    ['test/stores/keys.test.ts', 'test/auth/refusals.test.ts'],
    {
      'keys are kept as hashes': [
        "return `sha256:${hash('sha256', secret, 'hex')}`",
        "return `sha256:${Buffer.from(secret).toString('hex')}`",
      ],
    },
  ),
  ...checksOf('tenancy', 'src/kit/models.ts', ['test/auth/allowed-models.test.ts'], {
    'a model that the key may not use': [
      'if (model && (caller.mayUse(model.requested) || caller.mayUse(model.name))) return model',
      'if (model) return model',
    ],
    'a key that may use an alias': ['caller.mayUse(model.requested) || ', ''],
    'a key that may use the model of an alias': [' || caller.mayUse(model.name)', ''],
  }),
  ...checksOf('tenancy', 'src/kit/fallbacks.ts', ['test/routing/fallbacks/rules.test.ts'], {
    'a fallback beyond the scope of a key that may not use the alias': [
      'if (!fallbacks || caller.mayUse(requested)) return fallbacks ?? none',
      'return fallbacks ?? none',
    ],
  }),
  ...checksOf('tenancy', 'src/kit/models.ts', ['test/auth/other-models.test.ts'], {
    'models beside that of the call': ['if (caller.mayUse(name) && !isAlias) continue', 'continue'],
    'no alias beside the model of the call': [
      'caller.mayUse(name) && !isAlias',
      'caller.mayUse(name)',
    ],
  }),
  ...checksOf(
    'tenancy',
    'plugins/dialects/shared/other-models.ts',
    ['test/auth/other-models.test.ts'],
    {
      'models that stand in': ["if (models) this.#noteList(models, 'models')", ''],
      fallbacks: ['if (fallbacks && fallbacks !== accountsChoice)', 'if (false)'],
    },
  ),
  ...checksOf(
    'tenancy',
    'plugins/dialects/messages/request.ts',
    ['test/auth/other-models.test.ts'],
    {
      'models of tools that come later': ["type === 'tool_addition' || ", ''],
      'models of compacted tools': [" || type === 'compaction'", ''],
    },
  ),
  ...checksOf(
    'tenancy',
    'plugins/dialects/responses/named-data.ts',
    ['test/auth/other-models.test.ts'],
    {
      'models of tools of a response': ['    noted.models.noteTool(tool, pathOf)\n', ''],
    },
  ),
  ...checksOf('tenancy', 'plugins/models/index.ts', ['test/auth/allowed-models.test.ts'], {
    'a list shows what the key may use': [
      'if (caller.mayUse(name) || caller.mayUse(snapshot.platformName(name))) permitted',
      'permitted',
    ],
  }),
  ...checksOf('tenancy', 'src/admin/token-ring.ts', ['test/admin/token-ring.test.ts'], {
    'a secret of an admin token is compared': [
      'if (timingSafeEqual(entry.digest, digest)) found = entry',
      'found = entry',
    ],
    'an empty secret is no token': ['return secret ? found : undefined', 'return found'],
    'a revoked token is none': ['revokedAt === undefined && ', ''],
    'a token expires at its very moment': [
      '(token.expiresAt ?? Infinity) > now()',
      '(token.expiresAt ?? Infinity) >= now()',
    ],
    'a session ends with its token': [
      'if (!entry || !isValid(entry)) return undefined\n      return {',
      'if (!entry) return undefined\n      return {',
    ],
    'a reload replaces tokens': ['if (latest !== configured) {', 'if (false) {'],
    'a configured token wins over a stored one': [
      'if (found?.isStored && own.some',
      'if (!found && own.some',
    ],
    'the use of a token is written once a minute': ['if (at - last < usePauseMs) return', ''],
    'a damaged token is named': ['onUnreadable(ids)', 'ids.join()'],
  }),
  ...checksOf('tenancy', 'src/stores/admin-tokens.ts', ['test/admin/token-ring.test.ts'], {
    'a token is of its id': ['token.id === id &&', ''],
    'a token has a known role': ['roles.some((role) => role === token.role) &&', ''],
    'a token has an end': ['isTime(token.expiresAt) &&', ''],
    'a damaged revocation is damage': [
      '(token.revokedAt === undefined || isTime(token.revokedAt))',
      'true',
    ],
    'a damaged token is not revoked': [
      'if (!isAdminToken(known, id)) throw new UnreadableRecord()',
      '',
    ],
    'a token lives 90 days': [
      'expiresAt: expiresAt ?? now + adminTokenLifeMs',
      'expiresAt: expiresAt ?? 9e12',
    ],
  }),
  ...checksOf('tenancy', 'src/admin/authenticate.ts', ['test/admin/tokens.test.ts'], {
    'while the store is away, a token is not called wrong': [
      'if (tokens.isStale) {',
      'if (false) {',
    ],
    'only the scheme Bearer has tokens': ['/^Bearer +', '/^\\w+ +'],
  }),
  ...checksOf('tenancy', 'src/admin/tokens.ts', ['test/admin/last-administrator.test.ts'], {
    'the last administrator stays': [
      'if (!mayBeLast && isLastAdmin(services, known, others)) {',
      'if (false) {',
    ],
    'an expired administrator is none': [
      "role === 'admin' && state === 'ACTIVE'",
      "role === 'admin'",
    ],
    'an operator is no administrator': [
      "role === 'admin' && state === 'ACTIVE'",
      "state === 'ACTIVE'",
    ],
    'of two revocations at once the later one knows of the other': [
      ' && !earlier.has(token.id)',
      '',
    ],
  }),
  ...checksOf('tenancy', 'src/stores/revocations.ts', ['test/admin/last-administrator.test.ts'], {
    'a revocation that died is over at last': ['Math.abs(announced.at - at) < longestMs', 'true'],
    'a revocation that died counts for a while': [
      'Math.abs(announced.at - at) < longestMs',
      'false',
    ],
    'a revocation that has ended does not count': [
      'announcedIn(known).filter((one) => one.by !== by)',
      'announcedIn(known)',
    ],
  }),
  ...checksOf('tenancy', 'src/admin/tokens.ts', ['test/admin/tokens.test.ts'], {
    'tokens: an expired token is not said to be valid': ['if (expiresAt <= now) {', 'if (false) {'],
    'no one grants a role above their own': [
      'if (!isAtLeast(creator.role, role)) {',
      'if (false) {',
    ],
    'a new token ends in the future': [
      'expiresAt <= now\n  const expected',
      'false\n  const expected',
    ],
    'the id of a token has a form': ['identifier.safeParse(id).success', 'true'],
    'a token of the environment is not changed': [
      'if (id === environmentTokenId) {',
      'if (false) {',
    ],
    'a token of the file is not changed': [
      'if (index < 0) return undefined',
      'if (index < 1e9) return undefined',
    ],
  }),
  ...checksOf('tenancy', 'src/admin/schema/admin-tokens.ts', ['test/docs/tables.test.ts'], {
    'operators create no tokens': [
      "role: 'admin',\n    action: 'admin-token.create'",
      "role: 'operator',\n    action: 'admin-token.create'",
    ],
    'operators revoke no tokens': [
      "role: 'admin',\n    action: 'admin-token.revoke'",
      "role: 'operator',\n    action: 'admin-token.revoke'",
    ],
  }),
  ...checksOf('tenancy', 'src/admin/schema/accounts.ts', ['test/admin/roles.test.ts'], {
    'a type without a decision is found': [
      "never returned.',\n    authScopes,",
      "never returned.',",
    ],
  }),
  ...checksOf('tenancy', 'src/admin/builder.ts', ['test/admin/roles.test.ts'], {
    'a page without a decision is found': [
      'defaultEdgeTypeOptions: { authScopes: { viewer: true } },',
      '',
    ],
  }),
  ...checksOf(
    'tenancy',
    'plugins/dialects/realtime/index.ts',
    ['test/walks/realtime/secrets.test.ts'],
    {
      'ephemeral keys: they open sessions alone': [
        'if (operation.id === connectId) return',
        'if (credential) return',
      ],
    },
  ),
  ...checksOf(
    'tenancy',
    'plugins/dialects/realtime/connect.ts',
    ['test/walks/realtime/secrets.test.ts'],
    {
      'ephemeral keys: they are of one model': [
        'if (prepared && model !== prepared.model)',
        'if (!model)',
      ],
    },
  ),
  ...checksOf(
    'tenancy',
    'src/accounts/ephemeral-keys.ts',
    ['test/walks/realtime/secrets.test.ts'],
    {
      'ephemeral keys: they end': ['if (expiresAt <= now())', 'if (expiresAt < 0)'],
      'ephemeral keys: open sessions may use what the API key may use now': [
        'return parent ? boundTo(parent, caller.models ?? []) : key && refusedKeyOf(key)',
        'return parent ? caller : key && refusedKeyOf(key)',
      ],
    },
  ),
  ...checksOf(
    'tenancy',
    'plugins/dialects/realtime/client-events.ts',
    ['test/walks/realtime/session.test.ts'],
    {
      'sessions: no other model': ['if (!isSame)', 'if (!name)'],
      'sessions: no file': ['      refuseFiles(body.json)\n', ''],
    },
  ),
]

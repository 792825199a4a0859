import { checksOf } from '../mutation.ts'

/** Secrets appear in no reply, error, log or page, and no private address is fetched. */
export const secretsChecks = [
  ...checksOf(
    'secrets',
    'src/accounts/replaced-credentials.ts',
    ['test/account-settings/headers.test.ts', 'test/configuration/account-headers.test.ts'],
    {
      'way: a header does not replace the credential': [
        '.filter((name) => carriers.has(name))',
        '.filter(() => false)',
      ],
    },
  ),
  ...checksOf(
    'secrets',
    'src/kit/secrets/redact.ts',
    ['test/account-settings/headers.test.ts', 'test/configuration/account-headers.test.ts'],
    {
      'way: a secret header is in no reply': [
        'return secrets.some(isIn) || (authorizer?.secrets?.some(isIn) ?? false)',
        'return false',
      ],
    },
  ),
  ...checksOf(
    'secrets',
    'src/configuration/account-connection.ts',
    ['test/configuration/account-connection.test.ts'],
    {
      'way: credentials of a proxy are in no file': [
        "placeOfSecret(setting) === 'literal' && (username || password)",
        'false',
      ],
    },
  ),
  ...checksOf(
    'secrets',
    'src/upstream/list-models.ts',
    ['test/walks/listed-models/failing.test.ts'],
    {
      'a listed name has no key of the account': [' &&\n    redactKey(name, account) === name', ''],
      'a listed name has no control characters': [' &&\n    !/\\p{C}/u.test(name)', ''],
    },
  ),
  ...checksOf('secrets', 'src/admin/sessions.ts', ['test/admin/http/sessions.test.ts'], {
    'sessions: the secret decides': ['!isEqual(record.hash, given)', 'false'],
  }),
  ...checksOf(
    'secrets',
    'src/hooks/changed-outbound.ts',
    ['test/plugins/changed-attempts.test.ts'],
    {
      'attempts: no path names another host': ['/^\\/(?!\\/)', '/^'],
      'attempts: a header has no line break': [
        '!/^[\\t\\x20-\\x7e\\x80-\\xff]*$/.test(value)',
        'false',
      ],
      'attempts: no header names another host': ["lower === 'host' && value !== host", 'false'],
    },
  ),
  ...checksOf('secrets', 'src/hooks/run-hooks.ts', ['test/plugins/changed-attempts.test.ts'], {
    'attempts: each request goes to the account': [
      'outbound.origin !== rootOf(account, dialect).origin',
      'false',
    ],
  }),
  ...checksOf('secrets', 'src/admin/grants.ts', ['test/admin/http/sessions.test.ts'], {
    'sessions: a token with a new secret ends them': [
      'if (token?.hash === hash) {',
      'if (token) {',
    ],
  }),
  ...checksOf(
    'secrets',
    'src/configuration/credential-places.ts',
    ['test/admin/credential-places.test.ts'],
    {
      'places: the other secrets of accounts are not for sending': [
        'flags, options, besideKeys',
        'flags, options',
      ],
      'places: a key of the configuration goes to no other address': [
        'addresses.has(address) && ',
        '',
      ],
    },
  ),
  ...checksOf('secrets', 'src/admin/hide-values.ts', ['test/admin/canaries.test.ts'], {
    'values: invalid JSON is not quoted': [
      'throw isOfJson(error) ? noJson() : error',
      'throw error',
    ],
  }),
  ...checksOf('secrets', 'src/configuration/secrets.ts', ['test/admin/canaries.test.ts'], {
    'values: what is no name of a variable is not quoted': [
      "message: 'env: is not followed by the name of an environment variable'",
      'message: `"env:${name}" is not a name`',
    ],
    'values: names of other variables are a hint': [
      'fix: `set ${name} before the gateway starts`',
      'fix: `set ${name} before the gateway starts ${meant}`',
    ],
  }),
  ...checksOf('secrets', 'src/configuration/shape.ts', ['test/admin/canaries.test.ts'], {
    'values: a password in a URL is not quoted': [
      'hasUrlSecret.test(text) ? kindOf(value, example)',
      'false ? kindOf(value, example)',
    ],
  }),
  ...checksOf('secrets', 'src/configuration/with-store.ts', ['test/admin/canaries.test.ts'], {
    'configuration: an alias may have any name': [
      '!Object.hasOwn(aliases, name)',
      '!(name in aliases)',
    ],
  }),
  ...checksOf(
    'secrets',
    'src/configuration/check-secret.ts',
    ['test/configuration/admin.test.ts'],
    {
      'tokens: a secret of the file cannot be guessed': ['resolved.length < shortest', 'false'],
    },
  ),
  ...checksOf('secrets', 'src/stores/key-ring.ts', ['test/stores/key-grace.test.ts'], {
    'a former secret ends': ['if (until !== undefined && until <= Date.now())', 'if (false)'],
  }),
  ...checksOf('secrets', 'src/stores/keys.ts', ['test/stores/key-grace.test.ts'], {
    'a rotation without grace leaves no former secret': [
      '...(graceMs > 0 && { previous })',
      'previous',
    ],
    'a revocation forgets the former secret': [
      'return { ...rest, revokedAt',
      'return { ...known, disabled: true, revokedAt',
    ],
    'a former secret must be readable': [
      '(key.previous === undefined || isFormerSecret(key.previous)) &&',
      '',
    ],
  }),
  ...checksOf('secrets', 'src/admin/http/authentication.ts', ['test/admin/audit.test.ts'], {
    'a refused credential is recorded': [
      'await noteDeniedRequest(deniedActs, incoming, authentication.httpError)',
      '',
    ],
  }),
  ...checksOf('secrets', 'src/runtime/stored-accounts.ts', ['test/admin/turns.test.ts'], {
    'credentials that move meanwhile are read again': [
      'if (of === access) return void',
      'return void',
    ],
  }),
  ...checksOf(
    'secrets',
    'src/testing/contracts/error-events.ts',
    ['test/testing/framed-dialects.heavy.test.ts'],
    {
      'an error event shows no secret': ['  stage.checkSecrets(text)\n', ''],
    },
  ),
  ...checksOf('secrets', 'src/kit/secrets/redact.ts', ['test/errors/secrets.test.ts'], {
    'the account’s secret is in no error': [
      'replaceIn(text, secret, mask) : text\n    return',
      'text : text\n    return',
    ],
    'no spelling of JSON hides a secret': [
      'const json = redactValue(answer.json, account)',
      'const json = answer.json',
    ],
  }),
  ...checksOf('secrets', 'src/kit/secrets/redact.ts', ['test/errors/untouched.test.ts'], {
    'a secret is taken out of what is no JSON': [
      'Buffer.from(redact(answer.body.toString(), account))',
      'answer.body',
    ],
  }),
  ...checksOf(
    'secrets',
    'src/upstream/failure.ts',
    ['test/errors/secrets.test.ts', 'test/errors/untouched.test.ts'],
    {
      'the account’s secret is taken out of the message': ['redact(message, account)', 'message'],
      'the account’s secret is taken out of the body': [
        'upstream: redactAnswer(answer, account)',
        'upstream: answer',
      ],
    },
  ),
  ...checksOf('secrets', 'src/kit/observe.ts', ['test/errors/words-of-upstreams.test.ts'], {
    'the account’s secret is taken out of a stream': ['redactMessage(text, account)', 'text'],
  }),
  ...checksOf('secrets', 'src/admin/explain.ts', ['test/admin/explain.test.ts'], {
    'a dry run takes no credential': [' || ownHeaders.test(lower)', ''],
  }),
  ...checksOf('secrets', 'src/configuration/describe.ts', ['test/admin/configuration.test.ts'], {
    'a secret of the configuration is not shown': [
      "typeof value === 'string' ? shownSecret(value) : secretMask",
      'value',
    ],
  }),
  ...checksOf('secrets', 'plugins/passthrough.ts', ['test/walks/passthrough/requests.test.ts'], {
    'no key stands in a path that passes': [
      'if (credential === undefined || !texts.some((one) => one.includes(credential))) return',
      'if (texts.length > 0) return',
    ],
  }),
  ...checksOf(
    'secrets',
    'src/kit/secrets/passing-bytes.ts',
    ['test/walks/passthrough/replies.test.ts'],
    {
      'no key of an account passes with bytes': [
        'const end = this.#endOf(clean)',
        'const end = clean.length',
      ],
    },
  ),
  ...checksOf(
    'secrets',
    'src/exchange/refused-names.ts',
    ['test/walks/passthrough/requests.test.ts'],
    {
      'no credential stands in a query that passes': [
        '!pageToken.test(lower) && isRefusedParameter(lower)',
        'false',
      ],
    },
  ),
  ...checksOf('secrets', 'src/exchange/headers.ts', ['test/auth/stripped.test.ts'], {
    'credentials stay here': [
      'header: remember((name) => (exact',
      'header: remember((name) => /^x-auth-token$/.test(name) || (exact',
    ],
    'a beginning names no credential': [' && !isRefusedHeader(name)', ''],
  }),
  ...checksOf(
    'secrets',
    'src/configuration/forward-schema.ts',
    ['test/configuration/forward.test.ts'],
    {
      'no credential is configured to pass': ['return !isRefusedHeader(lower)', 'return true'],
      'no beginning of a credential is configured to pass': [
        " && !isRefusedHeader(beginning.replace(/[-_]$/, ''))",
        '',
      ],
      'no parameter of a credential is configured to pass': [
        '.refine((name) => !isRefusedParameter(name))',
        '',
      ],
    },
  ),
  ...checksOf('secrets', 'src/jobs/sanitize-state.ts', ['test/walks/videos/told-safely.test.ts'], {
    'job: an account’s secret is told to nobody': [
      'redactMessage(text, account).slice(0, length)',
      'text.slice(0, length)',
    ],
    'job: an account’s secret is in no further field': ['redactValue(extras, account)', 'extras'],
  }),
  ...checksOf('secrets', 'src/kit/secrets/exchange-texts.ts', ['test/secrets/own-key.test.ts'], {
    'captures and logs: an encoded key is found': [
      "times < mostDecodings && decoded.includes('%')",
      'false',
    ],
    'captures and logs: a key that is encoded twice is found': [
      'const mostDecodings = 4',
      'const mostDecodings = 1',
    ],
    'captures and logs: a refused credential is hidden': [
      'for (const one of presented) clean = change(clean, one)',
      '',
    ],
    'captures and logs: a stranger with many credentials shows no text': [
      'if (!presented) return mask\n  let clean',
      'if (!presented) return text\n  let clean',
    ],
    'captures and logs: behind the head of another long key all is hidden': [
      'text.slice(0, at) + found',
      'text',
    ],
    'captures and logs: a key that the end of the reading cuts in two is hidden': [
      'clean.slice(0, -longestEncodedHead) || mask',
      'clean',
    ],
    'captures and logs: secrets of headers are hidden': [
      'if (secrets) for (const secret of secrets) clean = change(clean, secret)',
      '',
    ],
  }),
  ...checksOf('secrets', 'src/kit/secrets/presented.ts', ['test/secrets/own-key.test.ts'], {
    'captures and logs: headers of keys are read on any path': [
      'for (const name of keyHeaders)',
      'for (const name of [] as string[])',
    ],
    'captures and logs: a scheme may come twice': [
      "yield value.slice(value.lastIndexOf(' ') + 1)",
      '',
    ],
    'captures and logs: a password is read on any path': ["yield password.join(':')", ''],
    'captures and logs: a name is read on any path': ['yield name', ''],
    'captures and logs: headers of proxies are read on any path': [
      "['authorization', 'proxy-authorization']",
      "['authorization']",
    ],
    'captures and logs: headers of several keys are read on any path': [
      "if (value.includes(',')) for",
      'if (false) for',
    ],
    'captures and logs: keys of a query are read on any path': [
      'keyParameters.has(name.toLowerCase())',
      'false',
    ],
    'captures and logs: credentials of strangers are counted': [
      'if (found.size > mostPresented) return undefined',
      '',
    ],
    'captures and logs: the longer of two keys is hidden first': [
      'other.length - one.length',
      'one.length - other.length',
    ],
  }),
  ...checksOf('secrets', 'plugins/access-log.ts', ['test/secrets/own-key.test.ts'], {
    'captures and logs: a path is cut off': ['shown(request.path)', 'request.path'],
    'captures and logs: ids of accounts have no secrets': [
      'shown(outcome?.produced?.id)',
      'outcome?.produced?.id',
    ],
  }),
  ...checksOf('secrets', 'plugins/bindings/record-produced.ts', ['test/secrets/own-key.test.ts'], {
    'captures and logs: an id of an account that waits for the store has no secrets': [
      'cleanText(name.id, exchange, longestId)',
      'name.id',
    ],
  }),
  ...checksOf(
    'secrets',
    'src/kit/secrets/exchange-texts.ts',
    ['test/capture/capture.test.ts', 'test/telemetry/traces/content.test.ts'],
    {
      'captures and traces: an encoded key is hidden': [
        'return withoutKnown(text, exchange)\n    .replace',
        'return text\n    .replace',
      ],
      'captures and traces: a key in JSON is hidden': [
        'jsonSpellings(secret).reduce(markSpelling, clean)',
        'clean',
      ],
    },
  ),
  ...checksOf('secrets', 'src/admin/processes/shown-text.ts', ['test/secrets/own-key.test.ts'], {
    'captures and logs: viewers read no key as a model': [
      'cleanText(text, exchange, longest)',
      'text',
    ],
  }),
  ...checksOf('secrets', 'src/kit/secrets/redact.ts', ['test/errors/secrets.test.ts'], {
    'a host is found in any case': [
      "new RegExp(pattern.source, 'gi')",
      "new RegExp(pattern.source, 'g')",
    ],
  }),
  ...checksOf('secrets', 'src/kit/secrets/account-patterns.ts', ['test/secrets/text.test.ts'], {
    'a key is found in base64': ['plain.flatMap(inBase64).map(eitherBase64)', '[] as string[]'],
    'a key is found in any encoding': [
      '[...plain.map(anyFormOf), ...encoded',
      '[...plain.map((text) => ({ source: RegExp.escape(text), text })), ...encoded',
    ],
    'a key is found in HTML': ['|${inUrl}|${inHtml})', '|${inUrl})'],
    'a key is found in a URL within a URL': ['%(?:25){0,4}', '%'],
    'a base path is found': ['...pathsOf(basePath)]\n', ']\n'],
    'a port is found': [
      "...(port === '' ? [] : [{ source: `(?<=",
      "...(port !== '-' ? [] : [{ source: `(?<=",
    ],
  }),
  ...checksOf('secrets', 'src/exchange/headers.ts', ['test/secrets/text.test.ts'], {
    'headers that pass disclose nothing': [
      "redactHeader(Array.isArray(value) ? value.join(', ') : value, account)",
      "Array.isArray(value) ? value.join(', ') : value",
    ],
  }),
  ...checksOf('secrets', 'src/exchange/headers.ts', ['test/secrets/media.test.ts'], {
    'headers of files disclose nothing': [
      'passed[name] = redactHeader(value, account)',
      'passed[name] = value',
    ],
  }),
  ...checksOf('secrets', 'src/kit/secrets/redact.ts', ['test/secrets/text.test.ts'], {
    'the media type of an error discloses nothing': [
      "name === 'location' ? value : redactHeader(value, account)",
      'value',
    ],
    'a whole reply holds no key': [
      "typeof reply === 'string' ? reply.includes(secret) : includesText(reply, secret)",
      'false',
    ],
  }),
  ...checksOf('secrets', 'src/upstream/json-attempt.ts', ['test/secrets/text.test.ts'], {
    'a failed result discloses nothing': [
      'isFailure && body ? this.#withoutPlaces(body, reply) : body',
      'body',
    ],
  }),
  ...checksOf('secrets', 'plugins/dialects/responses/by-id.ts', ['test/secrets/stored.test.ts'], {
    'a stored failure discloses nothing': ['reportsFailure: explainsEnd,', ''],
  }),
  ...checksOf('secrets', 'src/kit/upstream-error.ts', ['test/secrets/text.test.ts'], {
    'a cut answer keeps its words': [
      "status === 'failed' || status === 'cancelled'",
      "status !== 'completed'",
    ],
    'a failure is told without addresses': ["status === 'failed' ||", ''],
    'a cancelled response is told without addresses': ["|| status === 'cancelled'", ''],
  }),
  ...checksOf('secrets', 'plugins/dialects/responses/outcome.ts', ['test/secrets/text.test.ts'], {
    'a reason in words discloses nothing': ['!reasonCode.test(reason)', 'false'],
  }),
  ...checksOf('secrets', 'src/kit/observe.ts', ['test/secrets/text.test.ts'], {
    'a failed stream discloses nothing': [
      'return this.#withoutDisclosures(found, frame, event)',
      'return found',
    ],
  }),
  ...checksOf('secrets', 'plugins/dialects/generate/outcome.ts', ['test/secrets/text.test.ts'], {
    'a blocked prompt discloses nothing': ["objectAt(json, 'promptFeedback') !== undefined ||", ''],
    'a message about an end discloses nothing': [
      'finishMessage !== undefined',
      'finishMessage === 0',
    ],
  }),
  ...checksOf('secrets', 'plugins/dialects/generate/observer.ts', ['test/secrets/text.test.ts'], {
    'frames without disclosures reach the client': ['observation.bytes ??', ''],
  }),
  ...checksOf('secrets', 'plugins/dialects/chat/outcome.ts', ['test/secrets/text.test.ts'], {
    'a filtered answer discloses nothing': ['!ordinaryReasons.has(reason)', 'false'],
  }),
  ...checksOf('secrets', 'plugins/dialects/messages/outcome.ts', ['test/secrets/text.test.ts'], {
    'a refusal discloses nothing': ["objectAt(message, 'stop_details') !== undefined", 'false'],
  }),
  ...checksOf('secrets', 'src/translate/encoded-reply.ts', ['test/secrets/text.test.ts'], {
    'a translated refusal discloses nothing': ['this.#refusals.clean(event)', 'event'],
  }),
  ...checksOf(
    'secrets',
    'src/configuration/import-errors.ts',
    ['test/configuration/load.test.ts'],
    {
      'an unquoted secret is not named': ['withoutSecretName(cause.message)', 'cause.message'],
    },
  ),
  ...checksOf(
    'secrets',
    'src/kit/refusal-subject.ts',
    ['test/walks/refusals/about-the-account.test.ts'],
    {
      'callers learn nothing of the account’s credential': [
        "new Set(['model', 'credential', 'credit', 'unclear'])",
        'new Set()',
      ],
    },
  ),
  ...checksOf('secrets', 'src/upstream/check-account.ts', ['test/walks/refusals/unclear.test.ts'], {
    'only evidence about the credential counts in a check': [
      "about === 'credential' || about === 'credit' ?",
      'true ?',
    ],
  }),
  ...checksOf('secrets', 'src/remote/guard.ts', ['test/remote/guard.test.ts'], {
    'networks that are not public': ['return !neverPublic.check(address, family) &&', 'return'],
    'IPv6 that nobody has assigned': [
      "if (family === 'ipv6' && !publicNetworks.check(address, family)) return false",
      '',
    ],
    'NAT64 only where it is wanted': ['options.nat64 ?', 'true ?'],
  }),
  ...checksOf('secrets', 'src/remote/guard.ts', ['test/remote/guard-options.test.ts'], {
    'networks of the operator’s own': ['own.flatMap(withNat64)', '[]'],
    'a network is forbidden through NAT64 too': [
      'forbiddenIpv4.flatMap(withNat64)',
      'forbiddenIpv4',
    ],
    'a name is allowed on its port': [
      'names.has(`${normalizeName(host)}:${port}`)',
      '[...names].some((known) => known.startsWith(`${normalizeName(host)}:`))',
    ],
  }),
  ...checksOf('secrets', 'src/remote/dial.ts', ['test/remote/spellings.test.ts'], {
    'an address in the URL is checked': [
      'if (literal && !permits(host, port, host)) throw notPublic()',
      '',
    ],
  }),
  ...checksOf('secrets', 'src/remote/dial.ts', ['test/remote/rebinding.test.ts'], {
    'every address of a name is checked': ['!addresses.every(', '!addresses.some('],
  }),
  ...checksOf(
    'secrets',
    'src/remote/target.ts',
    ['test/remote/redirects.test.ts', 'test/remote/spellings.test.ts'],
    {
      'no other protocols': [
        "if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:')) {",
        'if (false) {',
      ],
      'no credentials': ["if (url.username !== '' || url.password !== '') {", 'if (false) {'],
    },
  ),
  ...checksOf(
    'secrets',
    'src/remote/failure.ts',
    ['test/remote/leaks.test.ts', 'test/remote/rebinding.test.ts', 'test/remote/spellings.test.ts'],
    {
      'no address is told': [
        "host === '' || host.startsWith('[') || isIP(host) !== 0 ? '' :",
        "host === '' ? '' :",
      ],
    },
  ),
  ...checksOf(
    'secrets',
    'src/configuration/secret-files.ts',
    ['test/configuration/secret-files.test.ts'],
    {
      'only regular files have secrets': ['if (!stat.isFile())', 'if (stat.isDirectory())'],
      'a secret has a largest size': ['if (content.length > mostBytes)', 'if (content.length < 0)'],
      'a secret has an absolute path': ['if (!isAbsolute(file))', "if (file === '')"],
    },
  ),
  ...checksOf('secrets', 'src/stores/sealing.ts', ['test/stores/sealing.test.ts'], {
    'a sealed secret has a subject': ['decipher.setAAD(Buffer.from(subject))', ''],
  }),
  ...checksOf('secrets', 'src/stores/stored-accounts.ts', ['test/admin/stored-accounts.test.ts'], {
    'a sealed credential belongs to an address': ['provider, addressOf(baseUrl), ', 'provider, '],
    'a sealed credential belongs to an account': ["['account', id, ", "['account', "],
  }),
  ...checksOf(
    'secrets',
    'src/stores/stored-accounts.ts',
    ['test/account-settings/options.test.ts'],
    {
      'options that decide the address need the credential again': [
        'baseUrl === undefined && options ? [options] : []',
        '[]',
      ],
    },
  ),
  ...checksOf(
    'secrets',
    'src/stores/stored-accounts.ts',
    ['test/account-settings/options.test.ts'],
    {
      'a place goes to no address that other options decide': [
        'options ? jsonOf([provider, options]) : provider',
        'provider',
      ],
    },
  ),
  ...checksOf('secrets', 'src/accounts/roots.ts', ['test/admin/forbidden-hosts.test.ts'], {
    'no options lead a stored account to a forbidden host': [
      'if (!compileForbiddenHosts(forbidden).has(hostname)) return []',
      "if (path === '.options' || !compileForbiddenHosts(forbidden).has(hostname)) return []",
    ],
  }),
  ...checksOf('secrets', 'src/stores/stored-accounts.ts', ['test/providers/stored.test.ts'], {
    'a client secret goes to no other authority': [
      '...(entra === undefined ? [] : [{ entra }]),',
      '',
    ],
  }),
  ...checksOf(
    'secrets',
    'src/kit/secrets/account-patterns.ts',
    ['test/providers/credentials.test.ts'],
    {
      'a renewed token is masked': ['[...secrets, ...renewing]', 'secrets'],
    },
  ),
  ...checksOf('secrets', 'src/accounts/options.ts', ['test/account-settings/options.test.ts'], {
    'options name no place of a secret': ['if (places.length > 0)', 'if (false)'],
  }),
  ...checksOf(
    'secrets',
    'src/configuration/stored-accounts.ts',
    ['test/admin/stored-accounts.test.ts'],
    {
      'a stored credential is sealed': [
        "if (placeOfSecret(reference) === 'literal')",
        'if (!reference)',
      ],
    },
  ),
  ...checksOf('secrets', 'src/admin/accounts/input.ts', ['test/admin/stored-accounts.test.ts'], {
    'a masked credential is not stored': [
      'if (credential === secretMask || /\\*{3}|\\.{3}|…|•/.test(credential))',
      'if (!credential)',
    ],
    'an empty credential is not stored': ["if (credential === '')", 'if (!hasKey && !credential)'],
    'a problem repeats no credential': ["withoutTexts(message, long, '...')", 'message'],
  }),
  ...checksOf('secrets', 'src/admin/accounts/change.ts', ['test/admin/stored-accounts.test.ts'], {
    'another host or provider needs the credential again': [
      'credentialSubject(account) !== credentialSubject(known.account)',
      'false',
    ],
    'an audit record has no credential': ["if (name === 'credential') return 'changed'", ''],
  }),
  ...checksOf(
    'secrets',
    'src/cli/remote/address.ts',
    ['test/cli/remote/failures.test.ts', 'test/cli/remote/token.test.ts'],
    {
      'an address has no credentials': [
        '!url.username && !url.password && !url.search && !url.hash',
        '!url.search && !url.hash',
      ],
    },
  ),
  ...checksOf('secrets', 'src/cli/accounts/commands.ts', ['test/cli/remote/accounts.test.ts'], {
    'only an accepted credential is a success': [
      "return outcome === 'ACCEPTED' ? 0 : 1",
      'return 0',
    ],
  }),
  ...checksOf(
    'secrets',
    'src/translate/outcome.ts',
    ['test/translate/ends-of-streams.test.ts', 'test/walks/losses/context-length.test.ts'],
    {
      'the account’s secret is taken out of what it tells in a reply': [
        'const text = redactMessage(message, upstream)',
        'const text = message',
      ],
    },
  ),
  ...checksOf('secrets', 'src/storage/signer.ts', ['test/uploads/replicas.test.ts'], {
    'replicas agree on one secret': [
      'if (await records.add(id, { secret })) return secret',
      'if ((await records.add(id, { secret })) || secret) return secret',
    ],
  }),
  ...checksOf(
    'secrets',
    'src/storage/s3/presign.ts',
    ['test/uploads/s3.test.ts', 'test/uploads/vectors.test.ts'],
    {
      'credentials that are lent': ['...(sessionToken !== undefined && { sessionToken }),', ''],
    },
  ),
]

import { checksOf } from '../mutation.ts'

const keyIds = ['test/tenancy/key-ids.test.ts']
const statuses = ['test/walks/chaining/without-status.test.ts']
const unreadable = ['test/tenancy/unreadable-records.test.ts']
const owners = ['test/tenancy/item-owners.test.ts']
const held = ['test/tenancy/containers-and-audio.test.ts']
const files = ['test/tenancy/files.test.ts']
const threads = ['test/tenancy/threads.test.ts']
const keys = ['test/requests/declared-keys.test.ts']
const moving = ['test/walks/chaining/moving-conversations.test.ts']
const repeatedIds = ['test/upstream/repeated-ids.test.ts']
const hanging = ['test/outcomes/hanging-records.test.ts']

/** What belongs to one key and is unknown to every other. */
export const tenancyChecks = [
  ...checksOf('kept', 'src/stores/record-id.ts', keyIds, {
    'a key id with a space imitates no other': [" && !text.includes(' ')", ''],
    'a text that looks like a hash is hashed': [' && !text.startsWith(mark)', ''],
    'a long id has a record of its own': ['text.length <= longest', 'true'],
  }),
  ...checksOf('videos', 'src/jobs/jobs.ts', keyIds, {
    'a list ends with the last job of its key': [
      'const prefix = recordPrefixOf([keyId])',
      'const prefix = keyId',
    ],
  }),
  ...checksOf('kept', 'plugins/dialects/responses/outcome.ts', statuses, {
    'a response without a status is complete': ["?? event ?? 'completed'", "?? event ?? 'queued'"],
    'a failed response is no end of a chain': ["  if (event === 'failed') return event\n", ''],
    'the name of the last event counts': ["(event ?? 'incomplete')", "'incomplete'"],
  }),
  ...checksOf('kept', 'plugins/bindings/lookup.ts', moving, {
    'a conversation that has been used stays': [
      'if (binding.seed && isUse(exchange)) await relocations.stay(name, binding)',
      '',
    ],
    'a conversation moves to the model': [
      '!isServed && binding.seed && candidates.some(({ native }) => native)',
      'false',
    ],
  }),
  ...checksOf('kept', 'plugins/bindings/relocation.ts', moving, {
    'a conversation moves once': [
      'known.seed ? { ...withoutSeed(known), account, upstreamId }',
      'true ? { ...known, account, upstreamId }',
    ],
  }),
  ...checksOf('kept', 'plugins/dialects/responses/recreate.ts', moving, {
    'items of one account do not move': ['call.names || ', ''],
  }),
  ...checksOf('kept', 'src/upstream/renamed.ts', moving, {
    'the reply has the id of the client': [
      '(frames) => this.#show(frames),',
      '(frames) => frames,',
    ],
    'a path has the id of the account': ['renamed : one', 'one : one'],
  }),
  ...checksOf('kept', 'src/upstream/renamed.ts', repeatedIds, {
    'a large event has the id of the client': [
      'this.#showInTurns(frames, signal)',
      'Promise.resolve(frames)',
    ],
  }),
  ...checksOf('kept', 'src/upstream/change-in-turns.ts', repeatedIds, {
    'frames of an attempt that is over stay': ['signal.throwIfAborted()\n', '\n'],
    'frames before one that changes stay': ['frames.subarray(copied, start), changed', 'changed'],
  }),
  ...checksOf('requests', 'src/body/member-reader.ts', keys, {
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
      'if (bytes[start] !== openBracket) return this.#endOf(start, depth)',
      'return this.#endOf(start, depth)',
    ],
    'large values inside of large bodies are read': [
      '      this.#pending.push({ start, rules, path })\n',
      '',
    ],
  }),
  ...checksOf('requests', 'src/body/member-rules.ts', keys, {
    'letters that ignore case are compared': [
      'name.toUpperCase().toLowerCase()',
      'name.toLowerCase()',
    ],
    'both spellings of Gemini are one': [
      'new Set([declared, snakeOf(declared)])',
      'new Set([declared])',
    ],
  }),
  ...checksOf('requests', 'src/body/read-request.ts', keys, {
    'forms have the rules of their operation': ['    rulesOf(exchange.operation),\n', ''],
  }),
  ...checksOf('kept', 'plugins/bindings/named-data.ts', owners, {
    'an item of another key is unknown': [
      'if (unknown && !(canForward && owned.kept.size === 0)) throw notFound(unknown)',
      '',
    ],
    'reasoning of another key is unknown': [
      'if (own || candidates.every(({ native }) => native)) throw notFound(spare)',
      'return own',
    ],
    'an item and a chain of different accounts': ['(pin && pin.pinnedTo !== owner)', 'false'],
    'an item pins its call': [
      'return pin ?? { pinnedTo: owner,',
      'return pin ?? { pinnedTo: undefined,',
    ],
  }),
  ...checksOf('kept', 'plugins/dialects/responses/named-data.ts', owners, {
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
  }),
  ...checksOf('kept', 'plugins/dialects/responses/observer.ts', owners, {
    'items of a stream are its client’s': [
      "if (type === 'response.output_item.done') this.#noteItem(json?.item)",
      '',
    ],
  }),
  ...checksOf('kept', 'plugins/bindings/record-produced.ts', owners, {
    'an account cannot fill the store with items': [
      'disclosed.filter(isDataId).slice(0, mostData)',
      'disclosed.filter(isDataId)',
    ],
  }),
  ...checksOf('kept', 'plugins/dialects/chat/observer.ts', held, {
    'audio in the middle of a stream is seen': [' && !this.#mayHaveAudio', ''],
  }),
  ...checksOf('kept', 'plugins/dialects/messages/observer.ts', held, {
    'the container of a stream is its client’s': [
      '        this.#disclosed.add(...containerIn(json?.delta))\n',
      '',
    ],
  }),
  ...checksOf('kept', 'plugins/dialects/messages/observer.ts', files, {
    'the files of a stream are its client’s': [
      '        this.#disclosed.add(...filesIn([json?.content_block]))\n',
      '',
    ],
  }),
  ...checksOf('kept', 'plugins/dialects/messages/outcome.ts', files, {
    'the files of a message are its client’s': ["stringAt(owner, 'file_id') ?? []", '[]'],
  }),
  ...checksOf('kept', 'plugins/dialects/messages/named-data.ts', files, {
    'messages name files': ['  noteFilesOfMessages(messages, names)\n', ''],
    'a source names a file': ['if (isObject(source)) noteFilesOf', 'if (false) noteFilesOf'],
    'a result of earlier code pins no call': [
      'pathOf, names, false)\n  for',
      'pathOf, names, true)\n  for',
    ],
  }),
  ...checksOf('kept', 'plugins/bindings/named-data.ts', files, {
    'a file with an owner is unknown to others': [
      'if (mark) owned.foreign',
      'if (false) owned.foreign',
    ],
    'a file that is not looked up is unknown': [
      'key !== undefined && bindings.has(key)) sortFound',
      'key !== undefined) sortFound',
    ],
    'a file without an owner is for all keys': ['!binding && mayBeShared(name)', 'false'],
  }),
  ...checksOf('kept', 'plugins/bindings/named-data.ts', files, {
    'a file is unknown at its account alone': [
      'native ? foreign.get(account.id) : undefined',
      'native ? first : undefined',
    ],
  }),
  ...checksOf('kept', 'plugins/bindings/record-produced.ts', files, {
    'the first account that has made a file keeps its mark': [
      'const unknown = await unknownOf([...marks, ...owned])',
      'const unknown = [...marks, ...owned]',
    ],
  }),
  ...checksOf('kept', 'plugins/dialects/responses/named-data.ts', owners, {
    'an approval is of a request that says what it is about': [
      '.filter(isApprovalRequest)',
      '.filter((one) => !isItemReference(one))',
    ],
  }),
  ...checksOf('kept', 'plugins/bindings/record-produced.ts', files, {
    'a file that was there before has no owner': [' || !named.has(one.id)', ' || true'],
  }),
  ...checksOf('kept', 'src/upstream/settle.ts', files, {
    'the files of a broken stream have an owner': [
      'discloses = attempt.discloses }',
      'discloses }',
    ],
  }),
  ...checksOf('kept', 'plugins/dialects/messages/named-data.ts', threads, {
    'a thread names its message': ["  noteMessage('thread', thread, true, names)\n", ''],
    'a thread has one account': ["'thread', thread, true", "'thread', thread, false"],
    'diagnostics name a message': ["  noteMessage('diagnostics', diagnostics, false, names)\n", ''],
    'a message of a thread is its client’s': ['thread || diagnostics ? {', 'diagnostics ? {'],
  }),
  ...checksOf('kept', 'plugins/bindings/index.ts', threads, {
    'a reply that is named later has a record': [
      'produced && kind ? [{ kind, id: produced.id }',
      'produced && kind ? [...[]',
    ],
  }),
  ...checksOf('auth', 'src/stores/keys.ts', unreadable, {
    'a damaged key is disabled': ['isKey(value, id) ? value', 'true ? value!'],
    'a damaged key cannot be rotated': [
      "if (!isKey(known, id)) throw new KeyConflict('damaged', id)",
      '',
    ],
  }),
  ...checksOf('auth', 'src/stores/account-states.ts', unreadable, {
    'a damaged state stays as it was': ['(isKnown && !before.has(record.id))', 'false'],
  }),
  ...checksOf('kept', 'src/stores/read-many.ts', unreadable, {
    'one damaged record takes away no other': [
      '  } catch {\n    return undefined\n  }',
      '  } catch (error) {\n    throw error\n  }',
    ],
  }),
  ...checksOf('kept', 'src/stores/redis/store.ts', unreadable, {
    'a list in the place of a record damages nothing else': [
      'isWrongType(error) ? notText : fail(error)',
      'fail(error)',
    ],
  }),
  ...checksOf('kept', 'src/stores/bindings.ts', unreadable, {
    'a damaged binding is no answer': [
      'if (binding === undefined || isBinding(binding)) return binding',
      'return binding',
    ],
  }),
  ...checksOf('kept', 'src/stores/retry-queue.ts', ['test/stores/retry-queue.test.ts'], {
    'a damaged record holds up no other write': [' && !(error instanceof UnreadableRecord)', ''],
  }),
  ...checksOf('kept', 'src/attempt/attempt.ts', hanging, {
    'a record that is never written holds no reply': [
      'limited(plan, environment.timeouts)',
      'plan.persist',
    ],
  }),
]

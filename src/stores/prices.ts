import type { StoredPrice } from '../contract/prices.ts'
import { isObject } from '../lib/json/object.ts'
import { isTime } from './record-values.ts'
import type { Store } from './store.ts'
import {
  type FollowOptions,
  type FollowedSettings,
  type SettingChange,
  type SettingKind,
  type StoredSetting,
  deleteSetting,
  followSettings,
  writeSetting,
} from './stored-settings.ts'

/** A price that an operator has set. */
export interface PriceRecord extends StoredSetting, StoredPrice {
  readonly id: string
}

const kind: SettingKind<PriceRecord> = {
  namespace: 'prices',
  isReadable: ({ id, model, provider, accountId, from, isFree, rates, units }, key) =>
    id === key &&
    typeof model === 'string' &&
    [provider, accountId].every((one) => one === undefined || typeof one === 'string') &&
    (from === undefined || isTime(from)) &&
    (isFree === true || isObject(rates) || (rates === undefined && isObject(units))),
}

/** The id of a price: no two have the same model, scope and time. */
export function priceId({
  model,
  provider = '',
  accountId = '',
  from,
}: Pick<StoredPrice, 'model' | 'provider' | 'accountId' | 'from'>): string {
  const since = from === undefined ? '' : new Date(from).toISOString()
  return [model, provider, accountId, since].join(' ')
}

/** Writes a price, as `writeSetting` does. */
export function writePrice(
  store: Pick<Store, 'records'>,
  price: StoredPrice,
  change: Pick<SettingChange<PriceRecord>, 'changedBy' | 'expectedVersion'>,
): Promise<PriceRecord | undefined> {
  const id = priceId(price)
  return writeSetting(store, kind, { id, next: () => ({ id, ...price }), ...change })
}

/** Deletes a price of a version; whether it did. */
export function deletePrice(
  store: Pick<Store, 'records'>,
  { id, version }: Pick<PriceRecord, 'id' | 'version'>,
): Promise<boolean> {
  return deleteSetting(store, kind, { id, version })
}

/** Follows the prices of the store. */
export function followPrices(options: FollowOptions): Promise<FollowedSettings<PriceRecord>> {
  return followSettings(kind, options)
}

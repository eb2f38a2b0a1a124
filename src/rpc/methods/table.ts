/**
 * The table of methods, typed by name: the union of the tables of the files that declare them, one file for each noun.
 * A new method in one of these files is served without a change here.
 */
import type { z } from '../../core/index.ts'
import type { RequestParams } from '../wire/index.ts'
import { apiKeyMethods } from './account/api-keys.ts'
import { gatewayMethods } from './account/gateway/gateway-methods.ts'
import { holdingMethods } from './account/holdings/holding-methods.ts'
import { tradingProductMethods } from './account/holdings/subaccounts.ts'
import { accessLogControls, accessLogMethods } from './account/records/access-log.ts'
import { moneyRecordMethods } from './account/records/money-records.ts'
import { lspUsageMethods } from './account/risk/lsp-usage.ts'
import { marginMethods } from './account/risk/margins.ts'
import { simulationMethods } from './account/risk/portfolio-simulation.ts'
import { userLockMethods } from './account/risk/user-locks.ts'
import { transferMethods } from './account/transfers/transfers.ts'
import { blockTradeMethods } from './blocks/block-trades.ts'
import { legPriceMethods } from './combos/leg-prices.ts'
import { connectionMethods } from './connection/connection.ts'
import { marketMethods } from './market/market-methods.ts'
import { isParams } from './params.ts'
import { mmpMethods } from './protection/mmp.ts'
import { rfqMakerMethods } from './rfqs/makers.ts'
import { rfqMethods } from './rfqs/queries.ts'
import { rfqTakerMethods } from './rfqs/takers.ts'
import { hiddenParams, secretsOf } from './secrets.ts'
import { sessionControls, sessionMethods } from './sessions/connections.ts'
import {
  accountLockControls,
  accountSettingControls,
  participantControls,
  riskLimitControls,
} from './sim/account-controls.ts'
import { openingControls } from './sim/controls.ts'
import { faultControls } from './sim/faults.ts'
import { rescaleControls } from './sim/rescale.ts'
import { snapshotControls } from './sim/snapshots.ts'
import { outageControls, switchControls } from './sim/switches.ts'
import { walletControls } from './sim/wallet.ts'
import { orderMethods } from './trading/order-methods.ts'
import { orderQueries } from './trading/queries/order-queries.ts'
import { userTradeMethods } from './trading/queries/user-trades.ts'
import { selfTradingMethods } from './trading/self-trading.ts'
import { paymentMethods } from './wallet/payments.ts'

/** Every method of `rpc` by name. The methods of direct access are in `gateways`. */
export const methods = {
  ...marketMethods,
  ...rfqMethods,
  ...connectionMethods,
  ...orderMethods,
  ...legPriceMethods,
  ...blockTradeMethods,
  ...rfqTakerMethods,
  ...rfqMakerMethods,
  ...selfTradingMethods,
  ...sessionMethods,
  ...orderQueries,
  ...holdingMethods,
  ...lspUsageMethods,
  ...mmpMethods,
  ...tradingProductMethods,
  ...userLockMethods,
  ...apiKeyMethods,
  ...marginMethods,
  ...simulationMethods,
  ...transferMethods,
  ...paymentMethods,
  ...walletControls,
  ...moneyRecordMethods,
  ...accessLogMethods,
  ...userTradeMethods,
  ...gatewayMethods,
  ...openingControls,
  ...rescaleControls,
  ...participantControls,
  ...accountSettingControls,
  ...accountLockControls,
  ...switchControls,
  ...riskLimitControls,
  ...accessLogControls,
  ...outageControls,
  ...faultControls,
  ...snapshotControls,
  ...sessionControls,
} as const

/** The name of a method. */
export type MethodName = keyof typeof methods

/** Parameters of a method as people write them. */
export type MethodParams<M extends MethodName> = z.input<(typeof methods)[M]['params']>

/** Result of a method. */
export type MethodResult<M extends MethodName> = ReturnType<(typeof methods)[M]['reply']>

/** All names, in the order of the table. */
export const methodNames: readonly string[] = Object.keys(methods)

const secretNames: ReadonlySet<string> = new Set(
  methodNames.flatMap((name) => secretsOf(methods[name as MethodName].params)),
)

/**
 * The parameters of a request for a file. Missing parameters become an empty object, and parameters that are not an
 * object stay as they are. Secrets are hidden, except the signatures of the methods in `keepsSignatures`, and the
 * credentials of direct access: a replay has to know whether a logon sent the right secret.
 */
export function writtenParams(method: string, params: RequestParams): RequestParams {
  if (!isParams(params)) return params ?? {}
  return keepsSignatures.has(method) ? params : hiddenParams(params, secretNames)
}

/**
 * Methods whose requests are written with signatures of block trades. The signatures depend on the seed of the run and
 * are worthless outside of it, and a journal cannot be replayed without them (R57 concerns replies).
 */
const keepsSignatures: ReadonlySet<string> = new Set([
  'private/execute_block_trade',
  'private/invalidate_block_trade_signature',
])

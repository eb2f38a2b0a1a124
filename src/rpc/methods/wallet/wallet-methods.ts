/**
 * The methods of the wallet, and the controls that move what lies in it.
 */
import {
  holdTransfers,
  moveDeposit,
  moveTransfer,
  moveWithdrawal,
  receiveDeposit,
  setAddress,
  setWalletType,
} from '../sim/wallet.ts'
import {
  addToAddressBook,
  getAddressBook,
  removeFromAddressBook,
  updateInAddressBook,
} from './address-book.ts'
import { createDepositAddress, getCurrentDepositAddress, getDeposits } from './deposits.ts'
import { cancelTransferById, submitTransferToUser } from './user-transfers.ts'
import { cancelWithdrawal, getWithdrawals, withdraw } from './withdrawals.ts'

/** Methods of the wallet by their names; a part of the table. */
export const walletMethods = {
  'private/get_address_book': getAddressBook,
  'private/add_to_address_book': addToAddressBook,
  'private/update_in_address_book': updateInAddressBook,
  'private/remove_from_address_book': removeFromAddressBook,
  'private/get_deposits': getDeposits,
  'private/get_current_deposit_address': getCurrentDepositAddress,
  'private/create_deposit_address': createDepositAddress,
  'private/withdraw': withdraw,
  'private/cancel_withdrawal': cancelWithdrawal,
  'private/get_withdrawals': getWithdrawals,
  'private/submit_transfer_to_user': submitTransferToUser,
  'private/cancel_transfer_by_id': cancelTransferById,
  'sim/set_wallet_type': setWalletType,
  'sim/set_address': setAddress,
  'sim/receive_deposit': receiveDeposit,
  'sim/move_deposit': moveDeposit,
  'sim/move_withdrawal': moveWithdrawal,
  'sim/move_transfer': moveTransfer,
  'sim/hold_transfers': holdTransfers,
} as const

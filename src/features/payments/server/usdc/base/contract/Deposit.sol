// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Where one payment arrives. Nobody owns it: whoever calls it moves what is here to the treasury, and nowhere else.
contract Deposit {
    address public immutable treasury;

    error NotMoved();

    constructor(address to) { treasury = to; }

    receive() external payable {}

    function sweep(address token) external {
        (bool known, bytes memory held) = token.staticcall(abi.encodeWithSignature("balanceOf(address)", address(this)));
        if (!known || held.length != 32) revert NotMoved();
        (bool moved, bytes memory said) = token.call(abi.encodeWithSignature("transfer(address,uint256)", treasury, abi.decode(held, (uint256))));
        // Some tokens return nothing, others false instead of failing.
        if (!moved || (said.length != 0 && !abi.decode(said, (bool)))) revert NotMoved();
    }

    function sweepNative() external {
        (bool moved, ) = treasury.call{value: address(this).balance}("");
        if (!moved) revert NotMoved();
    }
}
